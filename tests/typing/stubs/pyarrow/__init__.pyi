"""The part of pyarrow that user_code.py needs: it has no types of its own."""

from typing import Any

class _Columns:
    def to_pylist(self, *, maps_as_pydicts: str | None = None) -> list[Any]: ...

class ChunkedArray(_Columns): ...

class Table(_Columns):
    @property
    def columns(self) -> list[ChunkedArray]: ...
    @property
    def column_names(self) -> list[str]: ...
    def join(
        self,
        right_table: Table,
        keys: str | list[str],
        right_keys: str | list[str] | None = None,
        join_type: str = "left outer",
        left_suffix: str | None = None,
        right_suffix: str | None = None,
        coalesce_keys: bool = True,
        use_threads: bool = True,
        filter_expression: Any = None,
    ) -> Table: ...

def __getattr__(name: str) -> Any: ...
