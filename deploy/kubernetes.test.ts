import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { loadAll } from 'js-yaml'
import { expect, test } from 'vitest'

import { registry } from '#platform/metrics/metrics.ts'
import { readPlatformConfig } from '#platform/server/platform-config.ts'
import { readBffConfig } from '#bff/bff-config.ts'

type Probe = { httpGet?: { path: string; port: string; httpHeaders?: { name: string; value: string }[] } }
type Container = {
  name: string
  args: string[]
  env?: { name: string; value: string }[]
  envFrom: unknown[]
  ports: { name: string; containerPort: number }[]
  readinessProbe?: Probe
  startupProbe?: Probe
  livenessProbe?: Probe
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: {
    template?: { spec: { containers: Container[]; terminationGracePeriodSeconds: number } }
    triggers?: { metadata: Record<string, string> }[]
  }
}

const folder = new URL('./kubernetes/', import.meta.url)
const manifests = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => loadAll(readFileSync(new URL(name, folder), 'utf8')) as Manifest[])

const podOf = (name: string) => {
  const pod = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec?.template
  if (!pod) throw new Error(`No deployment ${name}`)
  return pod.spec
}
const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
const settingsOf = (container: Container) => ({
  ...settings,
  ...Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value])),
})

const moduleOf = ({ apiVersion, kind }: Manifest) =>
  `${apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models'}/${apiVersion}/${kind}`

test.for(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  '%s has the fields and types of its schema',
  async ([, manifest]) => {
    const { [manifest.kind]: Model } = await import(moduleOf(manifest))
    new Model(manifest).validate()
  },
)

test('no manifest has a field that its schema does not know', { timeout: 120_000 }, () => {
  const typed = manifests.map(
    (manifest, index) => `import type { I${manifest.kind} as Type${index} } from '${moduleOf(manifest)}'
      export const manifest${index}: Type${index} = ${JSON.stringify(manifest)}`,
  )
  // Types refuse unknown fields, which the schemas allow. The folder is one in which TypeScript finds the packages.
  mkdirSync('node_modules/.cache', { recursive: true })
  const file = join(mkdtempSync('node_modules/.cache/manifests-'), 'manifests.ts')
  writeFileSync(file, typed.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
  const { stdout } = spawnSync('node_modules/.bin/tsc', ['--ignoreConfig', ...options, file], { encoding: 'utf8' })
  rmSync(dirname(file), { recursive: true })
  expect(stdout).toBe('')
})

test('each container starts a program of the image with settings that it accepts', () => {
  const containers = ['assay-server', 'assay-worker'].flatMap((name) => podOf(name).containers)
  expect(containers.map(({ args }) => args[0])).toEqual(['platform', 'BFF', 'assay'])
  for (const container of containers) {
    const read = container.args[0] === 'BFF' ? readBffConfig : readPlatformConfig
    const config = read({ ...settingsOf(container), CLICKHOUSE_PASSWORD: 'x', DATABASE_URL: 'postgres://db/assay' })
    expect(config).toBeDefined()
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'assay' } })
  }
})

test('no manifest has a secret', () => {
  expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
  expect(Object.keys(settings).filter((name) => /PASSWORD|SECRET|KEY|DATABASE_URL/.test(name))).toEqual([])
})

test('the server takes requests when it is ready, by a host name that it serves', () => {
  const [platform, app] = podOf('assay-server').containers
  const host = { name: 'Host', value: 'localhost' }
  expect(platform?.readinessProbe?.httpGet).toMatchObject({ path: '/readyz', port: 'api', httpHeaders: [host] })
  expect(app?.readinessProbe?.httpGet).toMatchObject({ path: '/healthz', port: 'http', httpHeaders: [host] })
  expect(platform?.ports).toContainEqual({ name: 'metrics', containerPort: Number(settings['METRICS_PORT']) })
})

test('a worker has more time to end than its runs have', () => {
  const { containers, terminationGracePeriodSeconds } = podOf('assay-worker')
  const drainSeconds = Number(containers[0]?.args.at(-1))
  expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds)
})

test('workers are scaled by a metric that servers have, by the slots of a worker', () => {
  const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')
  const trigger = scaled?.spec?.triggers?.[0]?.metadata
  const [metric] = /assay_\w+/.exec(trigger?.['query'] ?? '') ?? []
  expect(registry.getSingleMetric(metric ?? '')).toBeDefined()
  const [worker] = podOf('assay-worker').containers
  expect(worker && settingsOf(worker)).toMatchObject({ WORKER_SLOTS: trigger?.['threshold'] })
})
