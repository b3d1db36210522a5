#!/bin/bash
# Writes the man pages and the completions that a program explains itself with:  tools/manual.sh PROGRAM FOLDER
set -euo pipefail
program="$1" folder="$2"
rm -rf "$folder"
mkdir -p "$folder"/{man/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}

"$program" help --man | gzip -9n >"$folder/man/man1/ricochet.1.gz"
for verb in $("$program" complete "" | grep -v '^-'); do
  "$program" help "$verb" --man | gzip -9n >"$folder/man/man1/ricochet-$verb.1.gz"
done
"$program" completion bash >"$folder/bash-completion/completions/ricochet"
"$program" completion zsh >"$folder/zsh/vendor-completions/_ricochet"
"$program" completion fish >"$folder/fish/vendor_completions.d/ricochet.fish"
