"""Published GPU data, one TOML a product: used where a report has no peak of its own, and by the model."""

from ncuanalyze.specs.catalogue import all_specs, spec_for_device, spec_for_name
from ncuanalyze.specs.gpu import ComputePeak, Figure, GpuSpec, MeasuredCeiling

__all__ = [
    "ComputePeak",
    "Figure",
    "GpuSpec",
    "MeasuredCeiling",
    "all_specs",
    "spec_for_device",
    "spec_for_name",
]
