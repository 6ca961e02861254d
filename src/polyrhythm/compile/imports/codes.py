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
    "PI012": "a shape or a number that was given and does not fit",
    "PI013": "an input without a fixed shape",
    "PI014": "a tensor that no link can carry",
    "PI015": "an output without a fixed shape",
    "PI016": "an operation that no runtime here has",
    "PI017": "a model that does not run",
    "PI018": "a model that the driver asked for does not take",
    # PyTorch
    "PI050": "an exported program or a function that cannot be used",
    "PI051": "a model that does not run on its example inputs",
    "PI052": "an operation that has no way to StableHLO",
    "PI053": "a model whose lowering takes too long or too much memory",
    "PI054": "a model that does not fit into this machine",
    "PI100": "an exported program that brings more than tensors and PyTorch's operations",
    "PI101": "an exported program with symbolic shapes",
    # LeRobot
    "PI060": "a directory that is not a LeRobot policy",
    "PI061": "a kind of policy, or a setting of one, that cannot be imported",
    "PI062": "statistics that are missing",
    "PI063": "weights that are not those of the policy",
    "PI064": "a Python that LeRobot does not run in",
}
