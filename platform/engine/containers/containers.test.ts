import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { Created, Listed } from '#platform/engine/containers/engine/engine-answers.ts'
import { parseEgressExceptions } from '#platform/ground/egress/egress-settings.ts'
import { openRunNetwork } from '#platform/engine/run-network/run-network.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { runShell } from '#platform/program/testing/run-shell.ts'
import { openTestContainers } from '#platform/program/testing/test-containers.ts'
import { openTestRegistry, registryPassword, writeTar } from '#platform/program/testing/test-registry.ts'
import { waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { toLabels } from './container-labels.ts'
import { keeperPath, outputPath } from './container-spec.ts'
import { removeContainer } from './reap-containers.ts'

const { containers, skip } = await openTestContainers()
const { engine } = containers
const none = '0000000000000000'

let plain: Awaited<ReturnType<typeof containers.openRun>>
beforeAll(async () => {
  if (!skip) plain = await containers.openRun()
})
afterAll(() => containers.close())

const listContainers = () => engine.ask({ method: 'GET', path: '/containers/json', query: { all: 'true' } }, Listed)

describe.skipIf(skip !== null)(`runs in containers (${skip ?? 'available'})`, () => {
  test('commands share the files of one container, as the user and in the folder of its image', async () => {
    const digest = await containers.registry.push({
      name: 'user:1',
      files: { '/app/given.txt': 'given\n' },
      config: { WorkingDir: '/app', User: 'developer', Env: ['FROM_IMAGE=yes', 'OVERRIDDEN=image'] },
    })
    const { run, folders, shell } = await containers.openRun('user:1')
    expect(run.imageDigest).toBe(digest)
    await writeFile(join(folders.workspace, 'staged.txt'), 'staged\n', { mode: 0o600 })
    const first = await shell(
      'cat given.txt staged.txt; id -u; id -g; pwd; echo "$HOME $FROM_IMAGE $OVERRIDDEN"; touch /tmp/kept',
      {
        env: { OVERRIDDEN: 'run' },
      },
    )
    expect(first).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: 'given\nstaged\n1500\n1600\n/app\n/home/developer yes run\n',
    })
    const second = await shell('ls /tmp/kept; cat; echo no >&2; exit 3', { stdin: 'from the service' })
    expect(second).toMatchObject({ exitCode: 3, stdout: '/tmp/kept\nfrom the service', stderr: 'no\n' })
  })

  test('the root of an image has no capabilities, and package managers work for it', async () => {
    const { shell } = plain
    const caps = await shell('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status')
    expect(caps.stdout.replaceAll(/\s+/g, ' ')).toBe(
      `CapInh: ${none} CapPrm: ${none} CapEff: ${none} CapBnd: ${none} CapAmb: ${none} NoNewPrivs: 1 Seccomp: 2 `,
    )
    const changed = await shell(
      'touch /etc/mine && chown 33:33 /etc/mine && mknod /etc/device c 1 3; stat -c %u:%F /etc/mine; ls /etc/device',
    )
    expect(changed.stdout).toBe('0:regular empty file\n')
  })

  test('files of other users belong to the root of its image, which has no right to them otherwise', async () => {
    const tar = writeTar([
      { name: 'var/locked/', type: '5', mode: 0o700, owner: 42 },
      { name: 'var/locked/file', mode: 0o600, owner: 42, content: 'kept' },
    ])
    await containers.registry.push({ name: 'owners:1', tar, files: { '/etc/apt/apt.conf.d/given': '' } })
    const { shell } = await containers.openRun('owners:1')
    const end = await shell('cat /var/locked/file; touch /var/locked/new; cat /etc/apt/apt.conf.d/zz-one-user')
    expect(end).toMatchObject({ stdout: 'keptAPT::Sandbox::User "root";\n', stderr: '' })
  })

  test('a container has no network besides its forwards, and nothing of this machine but its own folders', async () => {
    const { run, folders, shell } = plain
    const reach =
      'for address in 127.0.0.1/22 169.254.169.254/80 10.0.0.1/80; do (exec 3<>/dev/tcp/$address) 2>/dev/null && echo reached; done; true'
    const alone = await shell('', { argv: ['bash', '-c', `cat /proc/net/dev | tail -n +3; ${reach}`] })
    expect(alone.stdout).toMatch(/^\s*lo:[^\n]*\n$/)
    const answered = await shell('', {
      argv: ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/8600; cat <&3; ${reach}`],
      forwards: [{ port: 8600, onConnection: (connection) => void connection.end('from the service') }],
    })
    expect(answered.stdout).toBe('from the service')
    const after = await shell('', { argv: ['bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/8600; cat <&3'] })
    expect(after.stdout).toBe('')
    const mounts = await shell('cat /proc/self/mountinfo; ls /var/run /run 2>/dev/null')
    const ofMachine = mounts.stdout.split('\n').filter((line) => line.includes(containers.folder))
    const inside = run.sandbox.inside(folders)
    expect(ofMachine.map((line) => line.split(' ')[4]).toSorted()).toEqual(
      [inside.workspace, inside.home, keeperPath, outputPath, '/etc/resolv.conf'].toSorted(),
    )
    expect(mounts.stdout).not.toContain('.sock')
  })

  test('programs that use no proxy reach the hosts of a list by name, and no others', async () => {
    const server = createServer((connection) => void connection.end('from the host\n')).listen(0, '127.0.0.2')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { run, folders } = await containers.openRun()
    const settings = {
      exceptions: parseEgressExceptions('127.0.0.2'),
      upstream: null,
      resolve: async () => ['127.0.0.2'],
    }
    const policy = { network: { allow: [`db.example:${port}`] }, blockedHosts: [] }
    const network = openRunNetwork(policy, run.sandbox, settings)
    const read = (host: string) => `cat < /dev/tcp/${host}/${port} || echo no ${host}`
    const end = await runShell(network.sandbox, folders, [read('db.example'), read('other.example')].join('\n'))
    server.close()
    network.close()
    expect(end.stdout).toBe('from the host\nno other.example\n')
    expect(network.traffic()).toMatchObject([
      { host: 'db.example', port, connections: 1 },
      { host: 'other.example', port: 0, refusals: 1 },
    ])
  })

  test('a command can neither administer the machine nor touch the process that ends its container', async () => {
    const { shell } = plain
    await shell(
      'kill -STOP -1; kill -9 1; for each in /proc/[0-9]*; do [ ${each#/proc/} = $$ ] || kill -STOP ${each#/proc/}; done',
    )
    const setting = '/proc/sys/kernel/core_pattern'
    // Writes back its own value, so that the test changes nothing if the container fails.
    const end = await shell(
      `read -r old <${setting}; echo "$old" >${setting} || echo closed; cat /proc/1/environ || echo hidden`,
    )
    expect(end.stdout).toBe('closed\nhidden\n')
    const states = await shell(
      'for each in /proc/[0-9]*/stat; do read -r pid name state rest <$each; echo $state; done',
    )
    expect(states.stdout).not.toMatch(/[TtZ]/)
  })

  const namesOfProcesses = async ({ shell }: Pick<typeof plain, 'shell'>) => {
    const { stdout } = await shell('for each in /proc/[0-9]*/comm; do read -r name <$each; echo $name; done')
    return stdout.trim().split('\n').toSorted()
  }

  test('what a command leaves is there for the next one, and a time limit ends only what its own command started', async () => {
    const opened = await containers.openRun()
    const { shell, run } = opened
    const left = await shell('setsid sleep 1000 & (while :; do echo noise; sleep 1; done) & echo started; exit 4')
    expect(left).toMatchObject({ exitCode: 4, timedOut: false })
    expect(left.stdout).toContain('started\n')
    const late = await shell('cat & tail -f /etc/passwd & wait', { timeoutMs: 3000 })
    expect(late).toMatchObject({ timedOut: true, exitCode: null })
    expect(await namesOfProcesses(opened)).toEqual(['assay-keeper', 'sh', 'sh', 'sleep', 'sleep'])
    await run.endProcesses()
    expect(await namesOfProcesses(opened)).toEqual(['assay-keeper', 'sh'])
  })

  test('everything that a command printed is read, whatever it leaves in the background', async () => {
    const { shell } = await containers.openRun()
    let bytes = 0
    let last = ''
    const end = await shell('sleep 1000 & head -c 3000000 /dev/zero; echo; echo last', {
      onStdout: (chunk) => {
        bytes += chunk.byteLength
        last = (last + Buffer.from(chunk).toString('latin1')).slice(-6)
      },
    })
    expect(end).toMatchObject({ exitCode: 0, stderr: '' })
    expect({ bytes, last }).toEqual({ bytes: 3_000_006, last: '\nlast\n' })
  })

  test('short commands end, and a command cannot pretend that it never started', async () => {
    const { shell } = plain
    for (let place = 0; place < 8; place += 1) {
      const end = await shell('', { argv: ['sh', '-c', ':'], ...(place % 2 && { stdin: 'given' }) })
      expect(end).toMatchObject({ exitCode: 0, couldNotStart: null })
    }
    const pretended = 'echo "unable to start container process: exec: \\"x\\": no such file" >&3; exit 127'
    expect(await shell(pretended, { stdin: 'given' })).toMatchObject({ exitCode: 127, couldNotStart: null })
  })

  test('a stop ends every process, including those of earlier commands that left their session', async () => {
    const opened = await containers.openRun()
    await opened.shell('setsid sleep 1000 & sleep 1000 &')
    const controller = new AbortController()
    const stopped = await opened.shell('echo ready; sleep 1000', {
      signal: controller.signal,
      onStdout: () => controller.abort('canceled'),
    })
    expect(stopped).toMatchObject({ stopped: true, exitCode: null })
    expect(await namesOfProcesses(opened)).toEqual(['assay-keeper', 'sh'])
  })

  test('limits of processes, memory and disk space hold', async () => {
    const { shell, run } = plain
    const many = await shell('i=0; while [ $i -lt 300 ]; do sleep 100 & i=$((i+1)); done')
    expect(many.stderr).toMatch(/fork|Resource temporarily/)
    await run.endProcesses()
    const large = await shell('', { argv: ['bash', '-c', 'x=x; while :; do x=$x$x; done'] })
    expect(large.exitCode).toBe(137)
    const written = await shell('while :; do dd if=/dev/zero of=/etc/big.$((i=i+1)) bs=1M count=60 2>/dev/null; done', {
      timeoutMs: 20_000,
    })
    expect(written.exceeded).toBe('It wrote more than 100 MiB')
  })

  test('a program that does not exist is reported as one that could not start', async () => {
    const { shell } = plain
    for (const [program, reason] of [
      // The shell has it, and the image does not.
      ['true', 'executable file not found in $PATH'],
      ['./nosuch', 'no such file or directory'],
      ['/etc/passwd', 'permission denied'],
    ] as const)
      expect(await shell('', { argv: [program] })).toMatchObject({
        exitCode: null,
        couldNotStart: `${program}: ${reason}`,
      })
    const end = await shell('', { argv: ['nosuch', 'program'] })
    expect(end).toMatchObject({ exitCode: null, couldNotStart: 'nosuch: executable file not found in $PATH' })
  })

  test('an image that is missing, private, for another machine or at a private address is refused with a sentence', async () => {
    const refused = (name: string) =>
      containers.openRun(name).then(
        () => 'opened',
        (error: Error) => error.message,
      )
    expect(await refused('missing:1')).toBe(
      `The image ${containers.registry.address}/missing:1 cannot be used: the registry has no such image`,
    )
    await containers.registry.push({ name: 'foreign:1', architecture: 's390x' })
    expect(await refused('foreign:1')).toContain('architecture')
    const { signal } = new AbortController()
    const needs = {
      signal,
      folders: { workspace: '/x', home: '/y' },
      folder: '/x',
      owner: { id: 'r', attempt: 1 },
      seconds: 1,
    }
    const reference = { registry: '169.254.169.254', repository: 'x', tag: '1', digest: null }
    await expect(
      containers.places.open({ name: 'metadata', reference, password: null, digest: null }, needs),
    ).rejects.toThrow('the registry may not be reached: It is the metadata address of a cloud machine.')
    await expect(
      containers.places.open({ name: 'of e', digest: null, build: { context: [], staged: [] } }, needs),
    ).rejects.toThrow('builds no Dockerfiles')
  })

  test('a private image needs the password of its registry, even when the engine already has it', async () => {
    const guarded = await openTestRegistry({ isGuarded: true })
    containers.insecureRegistries.push(guarded.address)
    try {
      const digest = await guarded.push({ name: 'private:1' })
      const open = (password?: string) =>
        containers
          .openRun('private:1', { registry: guarded.address, ...(password !== undefined && { password }) })
          .then(
            ({ run }) => run.imageDigest,
            (error: Error) => error.message,
          )
      expect(await open()).toContain('the registry denies access to it')
      expect(await open('reader:wrong')).toContain('the registry denies access to it')
      expect(await open(registryPassword)).toBe(digest)
      expect(await open()).toContain('the registry denies access to it')
    } finally {
      await guarded.close()
    }
  })

  test('a run uses the digest that an earlier step found, even if the tag moves meanwhile', async () => {
    const push = (given: string) => containers.registry.push({ name: 'moving:1', files: { '/given.txt': given } })
    const before = await push('before')
    const first = await containers.openRun('moving:1')
    expect(first.run.imageDigest).toBe(before)
    const after = await push('after')
    const pinned = await containers.openRun('moving:1', { digest: before })
    expect([pinned.run.imageDigest, (await pinned.shell('cat /given.txt')).stdout]).toEqual([before, 'before'])
    const latest = await containers.openRun('moving:1')
    expect([latest.run.imageDigest, (await latest.shell('cat /given.txt')).stdout]).toEqual([after, 'after'])
  })

  test('containers of workers that have ended are removed at the start, and no others', async () => {
    const before = await listContainers()
    const workRootOfTest = join(containers.folder, 'work')
    const create = async (workFolder: string, workRoot = workRootOfTest, name = `assay-${randomUUID()}`) => {
      const labels = toLabels({ workRoot, workFolder, run: 'r', attempt: '1', deadline: new Date(Date.now() + 60_000) })
      const body = {
        Image: `${containers.registry.address}/plain:1`,
        Cmd: ['sleep', '100'],
        Labels: labels,
        HostConfig: { NetworkMode: 'none' },
      }
      return (await engine.ask({ method: 'POST', path: '/containers/create', query: { name }, body }, Created)).Id
    }
    const dead = await create(join(containers.folder, 'work', 'gone', 'runs'))
    const alive = await create(containers.workFolder)
    const foreign = await create('/other/work/gone/runs', '/other/work')
    const gone = join(containers.folder, 'work', 'gone', 'runs')
    const hasLabelsOfItsImage = await create(gone, workRootOfTest, 'the-operators-own')
    await containers.openPlaces()
    const left = (await listContainers()).map(({ Id }) => Id)
    expect(left).toEqual(expect.arrayContaining([alive, foreign, hasLabelsOfItsImage]))
    expect(left).not.toContain(dead)
    for (const id of [alive, foreign, hasLabelsOfItsImage]) await removeContainer(engine, id)
    expect(await listContainers()).toHaveLength(before.length)
  })

  test('a container ends when its worker is killed, and at its deadline if nobody ends it', async () => {
    const program = fileURLToPath(new URL('../../program/testing/container-process.ts', import.meta.url))
    const start = async (seconds: number) => {
      const place = join(containers.folder, `own-${seconds}`)
      await makeRunFolders(place)
      const args = [program, engine.socketPath, `${containers.registry.address}/plain:1`, place, String(seconds)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [id] = await once(child.stdout, 'data')
      return { child, id: String(id).trim() }
    }
    const isGone = async (id: string) => !(await listContainers()).some(({ Id }) => Id === id)
    const killed = await start(600)
    expect(await isGone(killed.id)).toBe(false)
    killed.child.kill('SIGKILL')
    await waitUntil(() => isGone(killed.id), 'the container to end with its worker')
    const late = await start(1)
    await waitUntil(() => isGone(late.id), 'the container to end at its deadline')
    expect(late.child.exitCode).toBeNull()
    late.child.kill('SIGKILL')
  })
})
