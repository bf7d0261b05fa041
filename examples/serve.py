"""A web service that looks names up in a fitted matcher.

Make the matcher, then serve it at http://127.0.0.1:8000/docs:

    python examples/serve.py fit register
    python examples/serve.py serve register
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

import polars as pl
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

import pearljoin as pj

HERE = Path(__file__).parent


class Row(BaseModel):
    """A row to add to the reference; columns that are not given are null there."""

    legal_name: str
    country: str | None = None
    city: str | None = None


def fit(folder: Path) -> None:
    """Fit a matcher on the reference, calibrate it on names that people typed, save it."""
    official = pl.read_csv(HERE / "official.csv")
    asked = pl.read_csv(HERE / "everyday.csv")
    matcher = pj.Matcher(left_on="name", right_on="legal_name").fit(official)
    matcher.calibrate(asked).save(folder)


def make_app(folder: Path) -> FastAPI:
    """Make the service of a saved matcher: load it once, and let all threads share it."""
    matcher = pj.Matcher.load(folder)
    saving = Lock()

    def look_up(names: list[str]) -> list[dict[str, Any]]:
        return matcher.match(pl.DataFrame({"name": names})).join("left").to_dicts()

    # What is made at the first lookup is made before the first request.
    look_up(["first"])
    app = FastAPI(title="Names of organisations and places")

    # Functions without async: each request runs in a thread of its own.
    @app.get("/lookup")
    def look_up_one(name: str) -> dict[str, Any]:
        """Return the row that a name stands for; nulls where there is none."""
        return look_up([name])[0]

    @app.post("/lookup")
    def look_up_many(names: list[str]) -> list[dict[str, Any]]:
        """Return a row for each name, in the order of the names."""
        return look_up(names) if names else []

    @app.post("/rows")
    def add(rows: list[Row]) -> dict[str, int]:
        """Append rows; lookups that begin after the answer find them."""
        if rows:
            matcher.add(pl.DataFrame([row.model_dump() for row in rows]))
        return {"added": len(rows)}

    @app.post("/save")
    def save() -> dict[str, str]:
        """Write the matcher, with the rows that were added, to the folder it came from."""
        with saving:
            matcher.save(folder)
        return {"saved": str(folder)}

    @app.get("/calibration")
    def calibration() -> dict[str, Any]:
        """Return what was learned and frozen."""
        return asdict(matcher.calibration)

    @app.exception_handler(pj.InputError)
    def refuse(request: Request, error: pj.InputError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=422)

    return app


if __name__ == "__main__":
    command, folder = sys.argv[1:]
    if command == "fit":
        fit(Path(folder))
    else:
        import uvicorn

        uvicorn.run(make_app(Path(folder)))
