import { expect, test } from 'vitest'

import type { HostTraffic } from '#contract/network.ts'
import { describePolicy, describeRefusals } from './describe-network.ts'
import { hostAndPort } from './host-and-port.ts'

const refused = (host: string, refusals = 1): HostTraffic => ({
  attempt: 1,
  host,
  port: 80,
  connections: 0,
  bytesUp: 0,
  bytesDown: 0,
  refusals,
})

test('the network of an environment is a sentence', () => {
  expect(describePolicy(false)).toBe('The environment has no network.')
  expect(describePolicy(true)).toBe('The environment allows every public address.')
  expect(describePolicy({ allow: ['a.example', '*.b.example:443'] })).toBe(
    'The environment allows only a.example, *.b.example:443.',
  )
})

test('refusals name up to three hosts and count all connections', () => {
  expect(describeRefusals([refused('a', 0)])).toBeNull()
  expect(describeRefusals([refused('10.0.0.1', 2)])).toEqual({
    title: '2 connections refused or failed.',
    text: 'The run tried to connect to 10.0.0.1:80. The table shows why.',
  })
  const many = ['a', 'b', 'c', 'd', 'e'].map((host) => refused(host))
  expect(describeRefusals(many)?.text).toBe(
    'The run tried to connect to a:80, b:80, c:80 and 2 other hosts. The table shows why.',
  )
})

test('an IPv6 address has brackets, and a port of 0 is not shown', () => {
  expect(
    [
      { host: '::1', port: 80 },
      { host: 'others', port: 0 },
    ].map(hostAndPort),
  ).toEqual(['[::1]:80', 'others'])
})
