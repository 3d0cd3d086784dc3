#!/bin/sh
# Puts a task's reference solution where its format expects it, and runs it in the workspace.
# The first line of script.txt is the folder, the second the script in it.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
{
  read -r folder
  read -r script
} <"$here/script.txt"
rm -rf "$folder"
cp -R "$here/solution" "$folder" || exit 1
[ ! -f "$here/variables.sh" ] || . "$here/variables.sh"
rm -rf "$here"
exec bash "$folder/$script"
