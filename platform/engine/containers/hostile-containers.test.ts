import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { ListedImages } from '#platform/engine/containers/engine/engine-answers.ts'
import { infrastructureOf, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { openTestContainers } from '#platform/program/testing/test-containers.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'
import { waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { preparedName } from './container-labels.ts'

const { containers, skip } = await openTestContainers()
afterAll(() => containers.close())

/** The command lines of this machine's processes. */
async function commandLines() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
}

describe.skipIf(skip !== null)(`hostile images and runs in containers (${skip ?? 'available'})`, () => {
  test('no program of an image runs before the first command of its run', async () => {
    const spoil = (root: string) => {
      chmodSync(join(root, 'app'), 0o777)
      for (const name of ['sh', 'sleep', 'chown', 'find', 'cp', 'ls']) {
        writeFileSync(join(root, 'bin', name), '#!/bin/bash\necho ran >>/app/ran; exec bash "$@"\n')
        chmodSync(join(root, 'bin', name), 0o755)
      }
    }
    const config = {
      WorkingDir: '/app',
      Entrypoint: ['/bin/sh'],
      Cmd: ['/bin/sh'],
      Healthcheck: { Test: ['CMD', '/bin/sh'], Interval: 1_000_000 },
    }
    const files = { '/app/given.txt': '', '/etc/apt/apt.conf.d/given': '' }
    await containers.registry.push({ name: 'spoiled:1', files, spoil, config })
    const { folders, shell } = await containers.openRun('spoiled:1')
    expect(readdirSync(folders.workspace)).toEqual(['given.txt'])
    expect(await shell('', { argv: ['cat', '/proc/1/comm'] })).toMatchObject({ exitCode: 0, stdout: 'assay-keeper\n' })
    // Its shell starts each command.
    expect(readFileSync(join(folders.workspace, 'ran'), 'utf8')).toBe('ran\n')
  })

  test('processes that exchange folders for links do not hold up the next command, and can all be ended', async () => {
    const { folders, shell, run } = await containers.openRun()
    const race = `exec -a racer-of-run bash -c 'trap "" TERM HUP; while :; do mv made x; ln -s / made; rm made; mv x made; done'`
    const started = await shell('', {
      argv: ['bash', '-c', `mkdir made; for i in 1 2 3; do (setsid bash -c ${JSON.stringify(race)} &) ; done; echo ok`],
    })
    expect(started).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    expect(await shell('echo next')).toMatchObject({ exitCode: 0, stdout: 'next\n' })
    await run.endProcesses()
    expect((await commandLines()).filter((line) => line.includes('racer-of-run'))).toEqual([])
    expect(readdirSync(folders.workspace)).toContain('given.txt')
  })

  test('links, devices and pipes of an image lead nowhere and are not copied', async () => {
    const outside = join(containers.folder, 'outside')
    await mkdir(outside)
    writeFileSync(join(outside, 'secret'), 'of this machine')
    const tar = writeTar([
      { name: 'data/', type: '5', mode: 0o755 },
      { name: 'data/pipe', type: '6' },
      { name: 'data/device', type: '3' },
      { name: 'data/kept', content: 'of the image' },
      { name: 'link', type: '2', link: 'data' },
      { name: 'root', type: '2', link: outside },
    ])
    const spoil = (root: string) => {
      symlinkSync('../../../../../../../link', join(root, 'work'))
      symlinkSync(outside, join(root, 'etc', 'apt'))
    }
    await containers.registry.push({ name: 'links:1', tar, spoil, config: { WorkingDir: '/work/.' } })
    const { run, folders, shell } = await containers.openRun('links:1')
    expect(run.sandbox.inside(folders)).toEqual({ workspace: '/data', home: outside })
    expect(readdirSync(folders.workspace)).toEqual(['kept'])
    expect(readdirSync(folders.home)).toEqual([])
    expect(readdirSync(outside)).toEqual(['secret'])
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('of this machine')
    expect((await shell('pwd; cat kept')).stdout).toBe('/data\nof the image')
  })

  test('a volume that an image declares belongs to its user and counts as what the run writes', async () => {
    const tar = writeTar([
      { name: 'data/', type: '5', mode: 0o700, owner: 42 },
      { name: 'data/given', mode: 0o600, owner: 42, content: 'given' },
    ])
    await containers.registry.push({ name: 'volume:1', tar, config: { Volumes: { '/data': {} } } })
    const { shell } = await containers.openRun('volume:1')
    const end = await shell('cat /data/given; while :; do dd if=/dev/zero of=/data/$((i=i+1)) bs=1M count=40; done', {
      timeoutMs: 20_000,
    })
    expect(end).toMatchObject({ stdout: 'given', exceeded: 'It wrote more than 100 MiB' })
  })

  test('an image whose folders are larger than a run may write is refused', async () => {
    const files = { '/app/large': 'x'.repeat(101 * 1024 * 1024) }
    await containers.registry.push({ name: 'large:1', files, config: { WorkingDir: '/app' } })
    await expect(containers.openRun('large:1')).rejects.toThrow('larger than the disk limit of a run: 100 MiB')
  })

  test('an image that is larger than the limit of images is refused and removed', async () => {
    await containers.registry.push({ name: 'huge:1', files: { '/large': 'x'.repeat(20 * 1024 * 1024) } })
    const places = await containers.openPlaces(15)
    const refused = await containers.openRun('huge:1', { places }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ message: expect.stringContaining('larger than the limit of an image: 15 MiB') })
    const path = `/images/${containers.registry.address}/huge:1/json`
    await expect(containers.engine.send({ method: 'GET', path })).rejects.toThrow(/no such image/i)
  })

  test('a run that exchanges what the engine reads as root gets no further command', async () => {
    const piped = await containers.openRun()
    await piped.shell('rm /etc/passwd; mkfifo /etc/passwd')
    const blocked = await piped.shell('echo ran')
    expect(blocked).toMatchObject({ stdout: '', couldNotStart: '/etc/passwd in the container is not a list of users' })
    const chained = await containers.openRun()
    const links = 'i=1; while [ $i -le 60 ]; do ln -s /etc/l$((i + 1)) /etc/l$i; i=$((i + 1)); done; mkfifo /etc/l61'
    await chained.shell(`${links}; rm -f /etc/group; ln -s /etc/l1 /etc/group`)
    expect(await chained.shell('echo ran')).toMatchObject({
      stdout: '',
      couldNotStart: expect.stringContaining('/etc/group'),
    })
    await containers.registry.push({ name: 'deep:1', config: { WorkingDir: '/srv/app' } })
    const moved = await containers.openRun('deep:1')
    await moved.shell('mv /srv /old; mkdir /srv; ln -s /etc /srv/app')
    const elsewhere = await moved.shell('echo ran')
    expect(elsewhere).toMatchObject({ stdout: '', couldNotStart: '/srv/app in the container leads elsewhere' })
  })

  test('a run that lets the kernel end its container has failed itself', async () => {
    const { shell } = await containers.openRun()
    // Each of them uses too little of the memory to be ended before the first process.
    const manyThatGrow =
      'for i in $(printf "%040d" 0 | sed "s/./& /g"); do (x=x; while :; do x=$x$x; done) & done; wait'
    const script = `echo 1000 >/proc/1/oom_score_adj; ${manyThatGrow}`
    const ended = await shell('', { argv: ['bash', '-c', script] }).catch((error: unknown) => error)
    if (!(ended instanceof RunFailure)) throw new Error(`It went on: ${JSON.stringify(ended)}`)
    expect(ended.message).toContain('the run used up its memory or killed it')
    expect(infrastructureOf(ended)).toBeNull()
  })

  test('what no run uses is removed when the prepared images take more than their limit', async () => {
    const places = await containers.openPlaces(30)
    const contents = join(containers.workFolder, '..', 'contents')
    const listed = async () => {
      const images = await containers.engine.ask({ method: 'GET', path: '/images/json' }, ListedImages)
      const copies = images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag.startsWith(preparedName))
      return { folders: (await readdir(contents).catch(() => [])).length, copies: copies.length }
    }
    const before = await listed()
    const openRuns = []
    for (const name of ['kept:1', 'kept:2', 'kept:3']) {
      const files = { '/app/content': name.repeat(2 * 1024 * 1024) }
      await containers.registry.push({ name, files, config: { WorkingDir: '/app' } })
      openRuns.push(await containers.openRun(name, { places }))
    }
    expect(await listed()).toEqual({ folders: before.folders + 3, copies: before.copies + 3 })
    for (const { run } of openRuns) await run.release()
    const isSmaller = async () => {
      const { folders, copies } = await listed()
      return folders === before.folders + 2 && copies === before.copies + 2
    }
    await waitUntil(isSmaller, 'the least recently used to be removed')
  })
})
