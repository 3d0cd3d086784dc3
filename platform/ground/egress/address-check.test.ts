import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

import { afterEach, expect, test, vi } from 'vitest'

import { addressFault } from './address-check.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test('a public address is refused on the machine that has it, unless the operator made an exception', () => {
  const fault = (address: string, allowsAddress = () => false) =>
    addressFault(address, 443, { allowsHost: () => false, allowsAddress })
  const [of4, of6] = ['93.184.215.14', '2606:2800:21f:cb07::1']
  expect([fault(of4), fault(of6)]).toEqual([null, null])
  const shared = { netmask: '', mac: '', internal: false, cidr: null }
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: [
      { ...shared, family: 'IPv4', address: of4 },
      { ...shared, family: 'IPv6', scopeid: 0, address: '2606:2800:21f:cb07:0:0:0:1' },
    ],
  })
  syncBuiltinESMExports()
  expect([fault(of4), fault(of6)]).toEqual(['an address of this machine', 'an address of this machine'])
  expect(fault('93.184.215.15')).toBeNull()
  expect(fault(of4, () => true)).toBeNull()
})
