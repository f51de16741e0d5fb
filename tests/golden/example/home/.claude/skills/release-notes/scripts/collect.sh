#!/bin/sh
git log --merges --first-parent "$1"..HEAD
