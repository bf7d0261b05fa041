"""Configuration of the documentation, which ``make docs`` builds with Sphinx."""

import os
import sys
import warnings
from pathlib import Path
from shutil import make_archive

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
os.environ.setdefault("MPLBACKEND", "agg")
warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")

from members import own_members  # noqa: E402
from quick_spark import ARGUMENTS  # noqa: E402

import pearljoin  # noqa: E402

# The tables and scripts that pages read, for readers who have no checkout.
make_archive(str(HERE / "generated" / "examples"), "zip", HERE.parent, "examples")

os.environ.setdefault("PYSPARK_SUBMIT_ARGS", ARGUMENTS)

project = "pearljoin"
author = "The pearljoin developers"
copyright = "The pearljoin developers, Apache-2.0"
version = release = pearljoin.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "parameter_types",
    "run_code",
    "search_texts",
]
exclude_patterns = ["gallery/*", "_ext", "_static", "_templates"]
templates_path = ["_templates"]
html_static_path = ["_static"]
nitpicky = True
nitpick_ignore_regex = [
    # Classes of other libraries, whose own pages are not here.
    (r"py:.*", r"(numpy|np|pandas|pd|polars|pl|pyarrow|sklearn|matplotlib|scipy|torch)\..*"),
    (r"py:.*", r"(BaseEstimator|TransformerMixin|ClusterMixin|OneToOneFeatureMixin|Axes)"),
    # Attributes without a page of their own.
    (
        r"py:obj",
        r"value|precision|threshold|blocking_recall|set_output|pearljoin\.scoring\.FEATURES",
    ),
    # Types that only the source knows.
    (r"py:(class|obj)", r"pearljoin\._.*"),
]
default_role = "autolink"
add_module_names = False
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["attrs_inline", "attrs_block", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4

autosummary_generate = True
autosummary_context = own_members()
# The types stand beside the parameters that they are of; a signature lists names and defaults.
autodoc_typehints = "none"
python_maximum_signature_line_length = 60
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("matplotlib",),
    "reset_modules": ("figures.style_figures",),
    "capture_repr": ("_repr_html_", "__repr__"),
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("pearljoin",),
    "plot_gallery": True,
    "download_all_examples": True,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "pearljoin"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_search_scorer = str(HERE / "_ext" / "search_scores.js")
# Pages of wide tables have the width of the section's navigation too.
WIDE = ("benchmarks*", "pearl_benchmark", "word_weights", "experiments")
html_sidebars: dict[str, list[str]] = {page: [] for page in WIDE}
html_theme_options = {
    "logo": {"text": "pearljoin"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": True,
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
linkcheck_anchors = False
