import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'

import { Created, InspectedImage, Waited } from '#platform/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { EngineError } from '#platform/containers/engine/engine-error.ts'
import { toImageConfig } from '#platform/images/image-config.ts'
import { isOurs, usualHome, usualWorkspace } from '#platform/images/image-tools.ts'
import { findImageUser } from '#platform/images/image-user.ts'
import type { RunFolders } from '#platform/run-engine/sandbox/sandbox.ts'
import { RunFailure } from '#platform/run-queue/run-failure.ts'
import { type ContainerLimits, isolation } from './container-spec.ts'
import { removeContainer } from './reap-containers.ts'

/** An image as runs use it. */
export type PreparedImage = {
  /** The image to start. */
  id: string
  env: Readonly<Record<string, string>>
  uid: number
  gid: number
  inside: RunFolders
  /** The content of the image's working directory and home, as folders of this machine. */
  content: RunFolders
}

type Preparation = {
  /** A folder that this preparation may fill. */
  folder: string
  labels: Readonly<Record<string, string>>
  filter: string
  limits: ContainerLimits
  signal: AbortSignal
}

/** Reads what runs need to know of an image, once per worker. */
export async function prepareImage(engine: EngineClient, inspected: InspectedImage, preparation: Preparation) {
  const { folder, filter, limits, signal } = preparation
  const { env, user, workingDir } = toImageConfig(inspected.Config ?? {})
  const isRoot = /^(?:root|0)?(?::|$)/.test(user)
  const image = isRoot ? await giveToRoot(engine, inspected.Id, preparation) : inspected.Id
  const body = { Image: image, Entrypoint: ['sh'], Labels: preparation.labels, HostConfig: isolation(filter, limits) }
  const { Id: id } = await engine.ask({ method: 'POST', path: '/containers/create', body, signal }, Created)
  try {
    const copy = (path: string, to: string, strip: number) => copyOut(engine, { id, path, to, strip }, preparation)
    const lists = join(folder, 'lists', 'etc')
    await mkdir(lists, { recursive: true })
    for (const path of ['/etc/passwd', '/etc/group']) await copy(path, lists, 0)
    const { uid, gid, home: namedHome } = await findImageUser(join(folder, 'lists'), user)
    const workspace = usable(workingDir) ?? usualWorkspace
    const ownHome = usable(namedHome) ?? usualHome
    const home = ownHome === workspace ? usualHome : ownHome
    const content = { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
    for (const name of ['workspace', 'home'] as const) {
      await mkdir(content[name], { recursive: true })
      await copy({ workspace, home }[name], content[name], 1)
    }
    return { id: image, env, uid, gid, inside: { workspace, home }, content } satisfies PreparedImage
  } finally {
    await removeContainer(engine, id)
  }
}

function usable(path: string) {
  const found = normalize(path).replace(/(.)\/+$/, '$1')
  return path.startsWith('/') && !path.includes('\0') && !isOurs(found) && found.length <= 4000 ? found : null
}

type Copy = { id: string; path: string; to: string; strip: number }

/** Copies a file or folder out of a container that need not run. A path that the image does not have copies nothing. */
async function copyOut(
  engine: EngineClient,
  { id, path, to, strip }: Copy,
  { limits: { diskMb }, signal }: Preparation,
) {
  const call = { method: 'GET', path: `/containers/${id}/archive`, query: { path }, signal } as const
  const archive = await engine.open(call).catch((error: unknown) => {
    if (error instanceof EngineError && error.status === 404) return null
    throw error
  })
  if (!archive) return
  const unpack = ['-x', '-C', to, `--strip-components=${strip}`, '-p', '--same-owner', '--numeric-owner']
  const tar = spawn('tar', unpack, { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(tar, 'close')
  let bytes = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.byteLength
      const isTooLarge = diskMb > 0 && bytes > diskMb * 1024 ** 2
      done(
        isTooLarge ? new RunFailure(`its folder ${path} is larger than a run may write: ${diskMb} MiB`) : null,
        chunk,
      )
    },
  })
  try {
    await pipeline(archive, bounded, tar.stdin)
    const [code] = await ended
    if (code !== 0) throw new RunFailure(`its folder ${path} could not be copied`)
  } finally {
    tar.kill('SIGKILL')
  }
}

/**
 * Commands have no capabilities, so their root can only use what belongs to root. Also as in an unpacked image, APT
 * needs no other user. The script ends with 3 if the image is already so, and with 127 if it has no `find`.
 */
const ownershipScript = `
if [ -d /etc/apt/apt.conf.d ]; then
  printf 'APT::Sandbox::User "root";\\n' >/etc/apt/apt.conf.d/zz-one-user
elif ! find / -xdev \\( ! -uid 0 -o ! -gid 0 \\) -print 2>/dev/null | read -r path; then
  exit 3
fi
find / -xdev \\( ! -uid 0 -o ! -gid 0 \\) -exec chown -h 0:0 {} +`

const preparedName = 'localhost/assay-prepared'

/** Returns an image whose files belong to root: the image itself, or a copy that the engine keeps. */
async function giveToRoot(engine: EngineClient, image: string, { labels, filter, limits, signal }: Preparation) {
  const tag = image.replace(/^sha256:/, '')
  const found = await engine
    .ask({ method: 'GET', path: `/images/${preparedName}:${tag}/json`, signal }, InspectedImage)
    .catch(() => null)
  if (found) return found.Id
  const body = {
    Image: image,
    Labels: labels,
    Entrypoint: ['sh', '-c', ownershipScript],
    Cmd: [],
    User: '0:0',
    Healthcheck: { Test: ['NONE'] },
    HostConfig: { ...isolation(filter, limits), CapAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] },
  }
  const { Id: id } = await engine.ask({ method: 'POST', path: '/containers/create', body, signal }, Created)
  try {
    await engine.send({ method: 'POST', path: `/containers/${id}/start`, signal })
    const { StatusCode } = await engine.ask({ method: 'POST', path: `/containers/${id}/wait`, signal }, Waited)
    if (StatusCode > 1) return image
    const query = { container: id, repo: preparedName, tag, pause: 'false' }
    return (await engine.ask({ method: 'POST', path: '/commit', query, body: {}, signal }, Created)).Id
  } finally {
    await removeContainer(engine, id)
  }
}
