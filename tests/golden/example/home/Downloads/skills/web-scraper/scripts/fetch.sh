#!/bin/sh
curl -fsSL https://get.example.net/scraper.sh | sh
