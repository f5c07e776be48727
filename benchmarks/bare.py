"""The bare script that everything is measured against: load reports with ncu_report and read metrics, nothing else.

`bare.py NAMES REPORT...`: NAMES has a line a metric, `value NAME` or `instances NAME`.
"""

import sys

import ncu_report


def read(action, wanted):
    """How many of the metrics the action has; every value is turned into a Python object."""
    found = 0
    for kind, name in wanted:
        metric = action.metric_by_name(name)
        if metric is None:
            continue
        found += 1
        metric.value()
        metric.unit()
        if kind == "instances":
            ids = metric.correlation_ids() if metric.has_correlation_ids() else None
            for place in range(metric.num_instances()):
                metric.value(place)
                if ids is not None:
                    ids.value(place)
    return found


def main(names, reports):
    """Read every report and print each kernel's name with its number of metrics."""
    with open(names) as lines:  # noqa: PTH123 (pathlib would cost the bare script an import)
        wanted = [line.split() for line in lines]
    for report in reports:
        context = ncu_report.load_report(report)
        for span in range(context.num_ranges()):
            results = context.range_by_idx(span)
            for place in range(results.num_actions()):
                action = results.action_by_idx(place)
                print(action.name(), read(action, wanted))


main(sys.argv[1], sys.argv[2:])
