"""Every diagnostic of the importers: its code and its title. Codes are never reused for another meaning."""

from __future__ import annotations

CODES: dict[str, str] = {
    # files of any kind
    "PI001": "a file that cannot be read",
    "PI002": "not a file of the kind that was said",
    "PI003": "a file that is damaged or not whole",
    "PI004": "a model that is too large",
    "PI005": "a bundle that is there already",
    # ONNX
    "PI010": "external data that is missing or too short",
    "PI011": "external data that is not beside the model",
    "PI012": "a shape that was given and does not fit",
    "PI013": "an input without a fixed shape",
    "PI014": "a tensor that no link can carry",
    "PI015": "an output without a fixed shape",
    "PI016": "an operation that no runtime here has",
    "PI017": "a model that does not run",
    "PI018": "a model that the driver asked for does not take",
}
