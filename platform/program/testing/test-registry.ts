import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { architecture } from '#platform/engine/images/image-config.ts'
import { freePort } from '#tools/free-port.mjs'

const run = promisify(execFile)

const findProgram = (name: string) =>
  ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

const needed = ['docker-registry', 'skopeo', 'umoci', 'bwrap', 'unshare']
const missing = needed.filter((name) => findProgram(name) === undefined)

/** Why images cannot be tested on this machine, or null. */
export const whyNoTestImages = missing.length > 0 ? `not installed: ${missing.join(', ')}` : null

/** `config`: of the image. `files`: paths and contents besides the shell. `spoil` changes the folder of the files. */
export type TestImage = {
  name: string
  config?: Record<string, unknown>
  architecture?: string
  files?: Record<string, string>
  spoil?: (root: string) => void
  /** The last layer: an archive as someone with bad intentions would write it. */
  tar?: Uint8Array
}

/** The user and the password of a guarded registry. */
export const registryPassword = 'reader:correct-horse'
const hashOfPassword = '$2b$04$abcdefghijklmnopqrstuuPoaPXzWjiVz4HaNq2LJXksWbO79E.S6'

/** Starts a registry on loopback. Its images have the machine's own shell. */
export async function openTestRegistry({ isGuarded = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-registry-'))
  const port = await freePort()
  writeFileSync(join(folder, 'config.yml'), configOf({ folder, port, isGuarded }))
  const server = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore' })
  const ended = new Promise((done) => server.once('exit', done))
  const address = `127.0.0.1:${port}`
  for (let tries = 0; tries < 200 && !(await answers(address)); tries += 1) await delay(50)
  let shell: ReturnType<typeof makeShell> | undefined
  const access = isGuarded ? ['--dest-creds', registryPassword] : []
  return {
    address,
    /** Returns the digest of the pushed image. */
    async push(image: TestImage): Promise<string> {
      const place = join(folder, createHash('sha256').update(image.name).digest('hex').slice(0, 8))
      const layout = withUsualModes(() => {
        shell ??= makeShell(join(folder, 'shell'))
        return makeLayout(place, shell, image)
      })
      const target = `docker://${address}/${image.name}`
      const digestFile = join(folder, 'digest')
      const options = ['--insecure-policy', 'copy', '--dest-tls-verify=false', '--digestfile', digestFile, ...access]
      await run('skopeo', [...options, `oci:${layout}:image`, target])
      return readFileSync(digestFile, 'utf8').trim()
    },
    async close() {
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configOf({ folder, port, isGuarded }: { folder: string; port: number; isGuarded: boolean }) {
  const lines = [
    'version: 0.1',
    'log: {level: error}',
    `storage: {filesystem: {rootdirectory: ${join(folder, 'data')}}}`,
    `http: {addr: "127.0.0.1:${port}"}`,
  ]
  if (!isGuarded) return lines.join('\n')
  writeFileSync(join(folder, 'users'), `reader:${hashOfPassword}\n`)
  return [...lines, `auth: {htpasswd: {realm: test, path: ${join(folder, 'users')}}}`].join('\n')
}

const answers = (address: string) =>
  fetch(`http://${address}/v2/`).then(
    () => true,
    () => false,
  )

const programs = ['sh', 'cat', 'ls', 'id', 'env', 'touch', 'mkdir', 'chown', 'stat', 'mknod', 'mkfifo', 'rm', 'ln']
const more = [
  'bash',
  'cp',
  'tail',
  'dirname',
  'sleep',
  'grep',
  'sed',
  'find',
  'readlink',
  'head',
  'mv',
  'chmod',
  'dd',
  'setsid',
]

/** Images come from elsewhere: their files have the usual modes. */
function withUsualModes<Made>(make: () => Made) {
  const ours = process.umask(0o022)
  try {
    return make()
  } finally {
    process.umask(ours)
  }
}

/** The first layer of every image: the machine's own shell and the libraries it needs, compressed once for all of them. */
function makeShell(root: string) {
  placeShell(root)
  const tar = archive(root)
  return { compressed: gzipSync(tar, { level: 1 }), diffId: digestOf(tar) }
}

const archive = (root: string) =>
  execFileSync('tar', ['-C', root, '--owner=0', '--group=0', '-c', '.'], { maxBuffer: 2 ** 28 })

function placeShell(root: string) {
  const paths = [...programs, ...more].flatMap((name) => findProgram(name) ?? [])
  const libraries = new Set<string>()
  for (const path of paths) {
    place(root, path, join('/bin', path.split('/').at(-1) ?? ''))
    const found = execFileSync('ldd', [realpathSync(path)], { encoding: 'utf8' })
    for (const [library] of found.matchAll(/\/\S+/g)) libraries.add(library)
  }
  for (const library of libraries) place(root, library, library)
}

function place(root: string, from: string, to: string) {
  mkdirSync(join(root, dirname(to)), { recursive: true })
  copyFileSync(realpathSync(from), join(root, to))
}

const users = 'root:x:0:0:root:/root:/bin/sh\ndeveloper:x:1500:1600::/home/developer:/bin/sh\n'

function makeLayout(folder: string, shell: ReturnType<typeof makeShell>, image: TestImage) {
  const root = join(folder, 'root')
  for (const name of ['bin', 'etc']) mkdirSync(join(root, name), { recursive: true })
  const files = { '/etc/passwd': users, '/etc/group': 'root:x:0:\nstaff:x:50:\n', ...image.files }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  image.spoil?.(root)
  const layout = join(folder, 'layout')
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true })
  const own = [archive(root), ...(image.tar ? [image.tar] : [])]
  const diffIds = [shell.diffId, ...own.map(digestOf)]
  const config = store(
    layout,
    JSON.stringify({
      architecture: image.architecture ?? architecture,
      os: 'linux',
      config: image.config ?? {},
      rootfs: { type: 'layers', diff_ids: diffIds },
    }),
  )
  const types = 'application/vnd.oci.image'
  const manifest = store(
    layout,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${types}.manifest.v1+json`,
      config: { mediaType: `${types}.config.v1+json`, ...config },
      layers: [
        { mediaType: `${types}.layer.v1.tar+gzip`, ...store(layout, shell.compressed) },
        ...own.map((content) => ({ mediaType: `${types}.layer.v1.tar`, ...store(layout, content) })),
      ],
    }),
  )
  const annotations = { 'org.opencontainers.image.ref.name': 'image' }
  const entry = { mediaType: `${types}.manifest.v1+json`, ...manifest, annotations }
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }))
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  return layout
}

type TarEntry = {
  name: string
  type?: '0' | '1' | '2' | '3' | '5' | '6'
  link?: string
  mode?: number
  owner?: number
  content?: string
}

/** Writes an archive entry by entry, without the checks of archive programs. */
export function writeTar(entries: readonly TarEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, type = '0', link = '', mode = 0o755, owner = 0, content = '' }) => {
    const header = Buffer.alloc(512)
    const put = (text: string, at: number) => header.write(text, at, 'latin1')
    const octal = (value: number, size: number) => value.toString(8).padStart(size - 1, '0')
    put(name, 0)
    put(octal(mode, 8), 100)
    put(octal(owner, 8), 108)
    put(octal(owner, 8), 116)
    put(octal(content.length, 12), 124)
    put(octal(0, 12), 136)
    put('        ', 148)
    put(type, 156)
    put(link, 157)
    put('ustar\u000000', 257)
    put(octal(1, 8), 329)
    put(octal(3, 8), 337)
    put(
      octal(
        header.reduce((sum, byte) => sum + byte, 0),
        7,
      ),
      148,
    )
    return [header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'), 'latin1')]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const digestOf = (content: string | Uint8Array) => `sha256:${createHash('sha256').update(content).digest('hex')}`

function store(layout: string, content: string | Uint8Array) {
  const digest = digestOf(content)
  writeFileSync(join(layout, 'blobs', ...digest.split(':')), content)
  return { digest, size: Buffer.byteLength(content) }
}
