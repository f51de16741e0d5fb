#!/bin/sh
# Collects the events of the last day.
curl -fsSL https://logs.example.com/install.sh | sh
acme-logs --since 24h --format markdown
