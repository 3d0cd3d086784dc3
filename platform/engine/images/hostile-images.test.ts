import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { confinementProbe, findConfinementFault } from '#platform/ground/confinement/prove-confinement.ts'
import { openEgress } from '#platform/ground/egress/egress-proxy.ts'
import { noEgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { openTestImages, whyNoImages } from '#platform/program/testing/test-images.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'

let bench: Awaited<ReturnType<typeof openTestImages>>
let target: string
beforeAll(async () => {
  target = mkdtempSync(join(tmpdir(), 'assay-target-'))
  chmodSync(target, 0o777)
  if (whyNoImages) return
  bench = await openTestImages()
  await bench.registry.push({ name: 'plain:1' })
})
afterAll(async () => {
  rmSync(target, { recursive: true, force: true })
  await bench?.close()
})
afterEach(() => bench?.release())

describe.skipIf(whyNoImages !== null)(`hostile images (${whyNoImages ?? 'available'})`, () => {
  test('links, parent paths and hard links of an archive write nothing outside of the image', async () => {
    const tar = writeTar([
      { name: 'out', type: '2', link: target },
      { name: 'out/through-link', content: 'x' },
      { name: 'up', type: '2', link: '../../../../../../../../..' },
      { name: `up${target}/through-parents`, content: 'x' },
      { name: `../../../../../../..${target}/parents`, content: 'x' },
      { name: `${target}/absolute`, content: 'x' },
      { name: 'shadow', type: '1', link: '/etc/hostname' },
    ])
    await bench.registry.push({ name: 'links:1', tar })
    const opened = await bench.openRun('links:1').catch((error: unknown) => error)
    expect(readdirSync(target)).toEqual([])
    if (opened instanceof Error) expect(opened.message).toContain('cannot be used')
  })

  test('device files and setuid programs of an image have no effect', async () => {
    const tar = writeTar([
      { name: 'disk', type: '3', mode: 0o666 },
      { name: 'bin/root', mode: 0o4755, content: '#!/bin/sh\nid -u\n' },
    ])
    await bench.registry.push({ name: 'devices:1', tar, config: { User: 'developer' } })
    const { image, shell } = await bench.openRun('devices:1')
    expect(lstatSync(join(image.root, 'disk'), { throwIfNoEntry: false })?.isCharacterDevice() ?? false).toBe(false)
    expect((await shell('/bin/root')).stdout).toBe('1500\n')
  })

  test('an image whose folders are links runs, and bubblewrap follows none of them out of it', async () => {
    await bench.registry.push({
      name: 'folders:1',
      config: { WorkingDir: '/work', Env: ['A=1'] },
      spoil(root) {
        for (const name of ['proc', 'dev', 'tmp', 'opt', 'work']) symlinkSync(target, join(root, name))
      },
    })
    const { shell } = await bench.openRun('folders:1')
    expect(
      await shell('pwd; echo x > /tmp/y; echo z > here; cat here; ls /proc/self >/dev/null && echo proc'),
    ).toMatchObject({ stdout: '/workspace\nz\nproc\n', exitCode: 0 })
    expect(readdirSync(target)).toEqual([])
  })

  test("the resolver's settings are written into the root of a run, whatever the run left in their place", async () => {
    const { shell } = await bench.openRun('plain:1')
    const { forward, names } = openEgress({ policy: { allow: ['db.example:5432'] }, settings: noEgressSettings })
    const read = () => shell('cat /etc/resolv.conf', { forwards: [forward], ...(names && { names }) })
    const path = '/etc/resolv.conf'
    for (const left of [
      `rm -f ${path}`,
      `rm ${path}; mkdir -p ${path}/folder`,
      `rm -rf ${path}; ln -s ${target}/resolv.conf ${path}`,
      `rm -rf ${path}; ln -s /oldroot${target}/resolv.conf ${path}`,
      `rm -rf ${path}; mkfifo ${path}`,
      `mv /etc /e; ln -s ${target} /etc`,
      `mv /etc /e2; ln -s /oldroot${target} /etc`,
    ]) {
      expect(await shell(left)).toMatchObject({ exitCode: 0 })
      expect((await read()).stdout).toBe('nameserver 127.64.0.1\n')
    }
    expect(readdirSync(target)).toEqual([])
  })

  test('a run that replaces the mount points by links gets folders again, and reaches nothing of the host', async () => {
    const { shell } = await bench.openRun('plain:1')
    await shell(`mv /opt /o && ln -s /oldroot${target} /opt; mv /etc /e; ln -s /oldroot${target} /etc`)
    await shell(`rm -rf ~ ; ln -s ${target} /root/x; ln -s /oldroot${target} /workspace/x`)
    expect(await shell('echo runs; ls -d /opt/node/bin')).toMatchObject({
      stdout: 'runs\n/opt/node/bin\n',
      exitCode: 0,
    })
    expect(readdirSync(target)).toEqual([])
  })

  test('a variable that contains NUL adds no option to the sandbox', async () => {
    const Env = [`A\0--bind\0/\0/host=1`, `B=x\0--bind\0/\0/host`, 'LD_PRELOAD=/none.so', 'C=kept', '=x', 'novalue']
    await bench.registry.push({ name: 'variables:1', config: { Env } })
    const { shell, image } = await bench.openRun('variables:1')
    expect(image.facts.env).toEqual({ LD_PRELOAD: '/none.so', C: 'kept' })
    expect((await shell('echo $C; ls -d /host')).stdout).toBe('kept\n')
  })

  test('the confinement holds in an image as it does without one', async () => {
    const { shell } = await bench.openRun('plain:1')
    expect(findConfinementFault((await shell(confinementProbe)).stdout)).toBeNull()
  })

  test('root of an image only seems to change owners and to make devices', async () => {
    const { shell, root } = await bench.openRun('plain:1')
    const end = await shell('touch f && chown 33:33 f && mknod d c 1 3 && mkfifo p && stat -c "%u %F" f p; ls d')
    expect(end.stdout).toBe('0 regular empty file\n0 fifo\n')
    expect(existsSync(join(root.layer, 'upper', 'd'))).toBe(false)
  })

  test('an image larger than a run may be is not unpacked', async () => {
    const limits = { memoryMb: 4096, processes: 1000, diskMb: 2 }
    await bench.registry.push({ name: 'large:1', files: { '/large': 'x'.repeat(5_000_000) } })
    await expect(bench.open('large:1', { sandbox: await detectSandbox({ limits }) })).rejects.toThrow(
      /The image .*large:1 cannot be used: /,
    )
  })

  const build = (lines: string[], files: Record<string, string> = {}) => ({
    name: 'of a test',
    digest: null,
    build: {
      context: Object.entries({ ...files, Dockerfile: lines.join('\n') }).map(([dest, content]) => ({ dest, content })),
      staged: [],
    },
  })
  const asText = (...[entries]: Parameters<typeof writeTar>) => Buffer.from(writeTar(entries)).toString('latin1')

  test('the stages of a build are together no larger than a run may be', async () => {
    const { image } = await bench.openRun('plain:1')
    const diskMb = Math.ceil((image.facts.kilobytes * 2.5) / 1024)
    const sandbox = await detectSandbox({ limits: { memoryMb: 4096, processes: 1000, diskMb } })
    const lines = [`FROM ${bench.registry.address}/plain:1`, 'FROM 0', 'FROM 1', 'FROM 2']
    await expect(
      bench.images({ sandbox }).open(build(lines), { signal: new AbortController().signal }),
    ).rejects.toThrow(`the stages of its build are larger than a run may be: more than ${diskMb} MiB`)
  })

  test.each([
    ['the folder of all stages', '/workspace', 'a/1/root'],
    ['the folder above', '/workspace/..', 'a/1/root'],
    ['its name', '/workspace/../workspace', 'a/1/root'],
  ])('links that a build adds lead into no other stage and not out of the build: by %s', async (_, link, name) => {
    const files = {
      'taken.txt': 'x',
      'one.tar': asText([{ name: 'a', type: '2', link }]),
      'two.tar': asText([{ name, type: '2', link: target }]),
    }
    const lines = ['FROM scratch', 'COPY taken.txt /', 'ADD one.tar /', 'ADD two.tar /', 'FROM 0']
    await bench
      .images()
      .open(build(lines, files), { signal: new AbortController().signal })
      .catch(() => {})
    expect(readdirSync(target)).toEqual([])
  })

  test('a build changes nothing of what it copies from', async () => {
    const files = {
      'one.tar': asText([{ name: 'a', type: '2', link: '/source' }]),
      'two.tar': asText([{ name: 'a/planted', content: 'x' }]),
    }
    const lines = ['FROM scratch', 'ADD one.tar /', 'ADD two.tar /']
    await expect(bench.images().open(build(lines, files), { signal: new AbortController().signal })).rejects.toThrow(
      'line 3',
    )
  })

  test('a build that is stopped starts no other instruction', async () => {
    const stopped = new AbortController()
    const printed: string[] = []
    const onOutput = (chunk: Uint8Array) => {
      printed.push(String(chunk))
      stopped.abort()
    }
    const opening = bench.images().open(build([`FROM ${bench.registry.address}/plain:1`, 'ENV A=1', 'ENV B=2']), {
      signal: stopped.signal,
      onOutput,
    })
    await expect(opening).rejects.toThrow('it was stopped')
    expect(printed).toEqual(['#2 ENV A=1\n'])
  })

  test('processes in an image cannot see or end the service, and its files outlive no run', async () => {
    const { shell, folders } = await bench.openRun('plain:1')
    const end = await shell('ls /proc | grep -c "^[0-9]"; echo x > kept.txt')
    expect(Number(end.stdout)).toBeLessThan(8)
    expect(readFileSync(join(folders.workspace, 'kept.txt'), 'utf8')).toBe('x\n')
  })
})
