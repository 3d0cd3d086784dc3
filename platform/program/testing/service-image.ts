import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { TestImage } from './test-registry.ts'

const perl = '/usr/bin/perl'
/** The files that the server loads. The rest of Perl is six hundred, which each test would archive, push and unpack. */
const modules = existsSync(perl)
  ? execFileSync(perl, ['-MSocket', '-e', 'print "$_\\n" for values %INC, @DynaLoader::dl_shared_objects'], {
      encoding: 'utf8',
    })
      .split('\n')
      .filter((line) => line !== '')
  : []

/** Why this machine has no small program that can listen on a port, or null. */
export const whyNoServiceImage = modules.length === 0 ? 'perl-base is not installed' : null

/** Answers every connection with the number of connections so far, and prints it. */
const server = `use Socket; $| = 1;
socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
bind(S, sockaddr_in($ARGV[0], INADDR_ANY)) or die "bind: $!"; listen(S, 5); print "listening\\n";
while (accept(C, S)) { $n += 1; print "connection $n\\n"; syswrite(C, "$n\\n"); close(C); }
`

/** An image with a server as its command, which listens on port 80. */
export const serviceImage = (name: string): TestImage => ({
  name,
  config: { WorkingDir: '/srv', Entrypoint: ['perl', 'server.pl'], Cmd: ['80'] },
  files: { '/srv/server.pl': server },
  spoil(root) {
    const libraries = execFileSync('ldd', [perl], { encoding: 'utf8' }).matchAll(/\/\S+/g)
    for (const path of [perl, ...modules, ...Array.from(libraries, ([library]) => library)]) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      copyFileSync(realpathSync(path), join(root, path))
    }
  },
})

/** Prints the answer of a server. Bash looks names up as every program does. */
export const connectTo = (host: string, port = 80) => ['bash', '-c', `exec 3<>/dev/tcp/${host}/${port} && cat <&3`]
