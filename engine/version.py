"""The one place that holds the version; CHANGELOG.md is checked against it."""

VERSION = "0.1.0"
