import type { AuditEventName } from '#contract/audit.ts'
import { hashApiKey, newApiKey } from '#platform/people/identity/api-key.ts'
import type { TestPlatform } from './test-platform.ts'

type Write = { events: AuditEventName[]; act: () => Promise<unknown> }

/** The writes of API keys, with the audit events that they leave. */
export function writesOfKeys(platform: () => TestPlatform): Record<string, Write> {
  /** Creates a key and returns its path. */
  async function makeKey(list: '/me/keys' | '/keys') {
    const body = { name: 'Audited', ...(list === '/keys' && { role: 'member' }) }
    const { json } = await platform().request('POST', `/admin/v1${list}`, { body })
    return `/admin/v1${list}/${json.apiKey.id}`
  }
  return {
    'apiKeys.createOwn': { events: ['key.create'], act: () => makeKey('/me/keys') },
    'apiKeys.approve': {
      events: ['key.create'],
      act: () => {
        const body = { name: 'Audited', hash: hashApiKey(newApiKey()), prefix: 'assay_Zk3x9Q' }
        return platform().request('POST', '/admin/v1/me/keys/approve', { body })
      },
    },
    'apiKeys.rotateOwn': {
      events: ['key.rotate'],
      act: async () => platform().request('POST', `${await makeKey('/me/keys')}/rotate`, { body: {} }),
    },
    'apiKeys.revokeOwn': {
      events: ['key.revoke'],
      act: async () => platform().request('DELETE', await makeKey('/me/keys')),
    },
    'apiKeys.create': { events: ['key.create'], act: () => makeKey('/keys') },
    'apiKeys.rotate': {
      events: ['key.rotate'],
      act: async () => platform().request('POST', `${await makeKey('/keys')}/rotate`, { body: {} }),
    },
    'apiKeys.revoke': { events: ['key.revoke'], act: async () => platform().request('DELETE', await makeKey('/keys')) },
  }
}
