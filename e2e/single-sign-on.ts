import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from '@playwright/test'
import { Provider } from 'oidc-provider'

import { providerCallbackPath } from '#contract/session.ts'
import { freePort } from '#tools/free-port.mjs'

/**
 * A certified identity provider on a separate site, and a BFF that trusts it in front of the platform under test. The
 * provider accepts any name and returns an email address with that name.
 */
export async function startSingleSignOn() {
  const [port, providerPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  // To the browser, a host name other than the BFF's is another site.
  const issuer = `http://localhost:${providerPort}`
  const folder = await mkdtemp(join(tmpdir(), 'assay-people-'))
  const client = { client_id: 'assay', client_secret: randomBytes(16).toString('hex') }
  const environment = {
    ...process.env,
    PORT: `${port}`,
    PLATFORM_URL: process.env.ASSAY_PLATFORM_URL,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
    OIDC_NAME: 'Lab accounts',
    OIDC_SEALING_KEY: randomBytes(32).toString('hex'),
    OIDC_PEOPLE_DIR: folder,
  }
  const provider = await startProvider({ issuer, port: providerPort, client, redirectUri: url + providerCallbackPath })
  const bff = spawn(process.execPath, ['BFF/main.ts'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true)

  return {
    url,
    /** The operator does this once for each person. */
    link: (email: string, apiKey: string) =>
      new Promise<void>((resolve, reject) => {
        const words = ['tools/assay.mjs', 'person', 'link', '--email', email]
        const command = execFile(process.execPath, words, { env: environment }, (error) =>
          error ? reject(error) : resolve(),
        )
        command.stdin?.end(apiKey)
      }),
    async stop() {
      bff.kill('SIGTERM')
      provider.close()
      provider.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type ProviderOptions = {
  issuer: string
  port: number
  client: { client_id: string; client_secret: string }
  redirectUri: string
}

async function startProvider({ issuer, port, client, redirectUri }: ProviderOptions) {
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@demo.example`, email_verified: true }),
    }),
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}
