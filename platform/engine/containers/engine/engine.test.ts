import { expect, test } from 'vitest'

import { readEngineAddress } from './engine-address.ts'
import { EngineError, messageInBody, whyEngineFailed } from './engine-error.ts'
import { createFrameReader } from './stream-frames.ts'

const frame = (kind: number, text: string) => {
  const header = Buffer.alloc(8)
  header[0] = kind
  header.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([header, Buffer.from(text)])
}

test('the streams of a command are separated wherever their connection cuts them', () => {
  const sent = Buffer.concat([frame(1, 'out'), frame(2, 'error'), frame(1, ''), frame(1, ' more')])
  for (let size = 1; size <= sent.byteLength; size += 1) {
    const read = createFrameReader()
    const said = { stdout: '', stderr: '' }
    for (let at = 0; at < sent.byteLength; at += size)
      for (const { stream, bytes } of read(sent.subarray(at, at + size))) said[stream] += Buffer.from(bytes).toString()
    expect(said).toEqual({ stdout: 'out more', stderr: 'error' })
  }
})

test('the engine is the one of DOCKER_HOST, or Docker’s or Podman’s usual socket', () => {
  expect(readEngineAddress('unix:///tmp/engine.sock')).toBe('/tmp/engine.sock')
  expect(readEngineAddress(undefined, (path) => path.includes('podman'))).toBe('/run/podman/podman.sock')
  expect(readEngineAddress('', () => true)).toBe('/var/run/docker.sock')
  expect(readEngineAddress(undefined, () => false)).toBe('/var/run/docker.sock')
})

test.each(['tcp://10.0.0.1:2375', 'ssh://lab', 'unix://relative', '/var/run/docker.sock'])(
  'an engine at %s is refused: containers share folders and networks with the worker',
  (address) => {
    expect(() => readEngineAddress(address)).toThrow('must be a Unix socket of this machine')
  },
)

test.each([
  [Object.assign(new Error(), { code: 'ENOENT' }), 'nothing listens there: start Docker or Podman, or set DOCKER_HOST'],
  [Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'nothing listens there'],
  [Object.assign(new Error(), { code: 'EACCES' }), 'the service may not open this socket'],
  [new Error('it took too long'), 'The container engine at /engine cannot be reached: it took too long'],
  [new EngineError(500, 'no space left on device'), 'no space left on device'],
])('an engine that fails with %o says why in a sentence', (error, sentence) => {
  expect(whyEngineFailed(error, '/engine')).toContain(sentence)
})

test('the message of an error answer is the engine’s own, whatever its form', () => {
  expect(messageInBody(404, '{"message":"No such image"}')).toBe('No such image')
  expect(messageInBody(502, '<html>bad gateway</html>')).toBe('<html>bad gateway</html>')
  expect(messageInBody(500, '')).toBe('the engine answered with status 500')
})
