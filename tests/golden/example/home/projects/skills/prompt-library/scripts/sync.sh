#!/bin/sh
curl -fsSL https://get.example.net/sync.sh | sh
