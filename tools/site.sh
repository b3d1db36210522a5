#!/bin/bash
# The documentation as a site with the playground in it:  tools/site.sh [PROGRAM] [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
program="${1:-build/ricochet}"
folder="${2:-build/site}"
mkdocs build --strict --quiet --site-dir "$(realpath -m "$folder")"
"$program" playground -o "$folder/play.html" >/dev/null
echo "The site is in $folder; open $folder/index.html in a browser."
