import { posix } from 'node:path'

import { sourceMount } from '#platform/engine/sandbox/inside-places.ts'

/**
 * Copies what the patterns match below the source to `$1`. `$2`: the mode of the copies, or nothing. `$3`: whether the
 * destination is a folder, whatever exists there. `$4`: whether archives are unpacked.
 */
const copyScript = `
cd ${sourceMount} || exit 1
destination=$1
mode=$2
isFolder=$3
unpacks=$4
shift 4
IFS=
[ ! -d "$destination" ] || isFolder=yes
set_mode() { [ -z "$mode" ] || chmod -R "$mode" "$1"; }
for pattern in "$@"; do
  isFound=
  for source in $pattern; do
    if [ -d "$source" ] && [ ! -L "$source" ]; then
      mkdir -p "$destination" && cp -a "$source/." "$destination/" && set_mode "$destination" || exit 1
    elif [ -e "$source" ] || [ -L "$source" ]; then
      case "$unpacks$source" in
        yes*.tar | yes*.tar.* | yes*.tgz)
          mkdir -p "$destination" && tar -xf "$source" -C "$destination" || exit 1 ;;
        *)
          if [ "$isFolder" = yes ]; then target=$destination/\${source##*/}; else target=$destination; fi
          mkdir -p "\${target%/*}" && cp -aT "$source" "$target" && set_mode "$target" || exit 1 ;;
      esac
    else
      continue
    fi
    isFound=yes
  done
  if [ -z "$isFound" ]; then
    echo "no file of the build matches $pattern" >&2
    exit 1
  fi
done`

type Copy = {
  sources: readonly string[]
  destination: string
  isFolder: boolean
  mode: string
  unpacks: boolean
}

/** The command of COPY and ADD. All paths are those in the sandbox of the build. */
export const copyCommand = ({ sources, destination, isFolder, mode, unpacks }: Copy) => [
  'sh',
  '-c',
  copyScript,
  'sh',
  destination,
  mode,
  isFolder || sources.length > 1 ? 'yes' : '',
  unpacks ? 'yes' : '',
  // No source leads out of the folder, and none is an option of cp.
  ...sources.map((source) => `.${posix.join('/', source)}`),
]

/** The command that writes its standard input to a file. */
export const writeCommand = (path: string, mode: string) => [
  'sh',
  '-c',
  'mkdir -p "${1%/*}" && cat >"$1" && { [ -z "$2" ] || chmod "$2" "$1"; }',
  'sh',
  path,
  mode,
]
