import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { load, loadAll } from 'js-yaml'
import { expect, test } from 'vitest'

import { registry } from '#platform/ground/metrics/metrics.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'
import { readBffConfig } from '#bff/bff-config.ts'

type Probe = { httpGet?: { path: string; port: string; httpHeaders?: { name: string; value: string }[] } }
type Container = {
  name: string
  args: string[]
  env?: { name: string; value?: string; valueFrom?: { configMapKeyRef: { name: string; key: string } } }[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  volumeMounts: { name: string }[]
  resources: { requests: Record<string, string> }
  ports: { name: string; containerPort: number }[]
  readinessProbe?: Probe
  startupProbe?: Probe
  livenessProbe?: Probe
}
type Labels = Record<string, string>
type Pod = {
  containers: Container[]
  terminationGracePeriodSeconds: number
  volumes: { name: string; emptyDir?: { sizeLimit?: string } }[]
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: {
    template?: { metadata: { labels: Labels }; spec: Pod }
    podSelector?: { matchLabels: Labels }
    policyTypes?: string[]
    ingress?: { from?: { namespaceSelector: { matchLabels: Labels } }[]; ports: { port: number }[] }[]
    accessModes?: string[]
    triggers?: { metadata: Record<string, string> }[]
  }
}

const folder = new URL('./kubernetes/', import.meta.url)
const manifests = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => loadAll(readFileSync(new URL(name, folder), 'utf8')) as Manifest[])

const templateOf = (name: string) => {
  const pod = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec?.template
  if (!pod) throw new Error(`No deployment ${name}`)
  return pod
}
const podOf = (name: string) => templateOf(name).spec
const configMap = (wanted = '') =>
  manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === wanted)?.data ?? {}
const settings = configMap('assay')
const settingsOf = ({ env = [], envFrom }: Container): Record<string, string | undefined> => {
  const own = env.map(({ name, value, valueFrom }) => {
    const from = valueFrom?.configMapKeyRef
    return [name, from ? configMap(from.name)[from.key] : value]
  })
  return Object.assign({}, ...envFrom.map((each) => configMap(each.configMapRef?.name)), Object.fromEntries(own))
}
const secretsOf = ({ envFrom }: Container) => envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])

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

test('every file is applied, except the claim that only single sign-on needs', () => {
  const { resources } = load(readFileSync(new URL('kustomization.yaml', folder), 'utf8')) as { resources: string[] }
  const files = readdirSync(folder).filter((name) => !['kustomization.yaml', 'people.yaml'].includes(name))
  expect(resources.toSorted()).toEqual(files.toSorted())
})

test('each container starts a program of the image with settings that it accepts', () => {
  const containers = ['assay-server', 'assay-worker'].flatMap((name) => podOf(name).containers)
  expect(containers.map(({ args }) => args[0])).toEqual(['platform', 'BFF', 'assay'])
  for (const container of containers) {
    const isApp = container.args[0] === 'BFF'
    const read = isApp ? readBffConfig : readPlatformConfig
    const database = { [isApp ? 'SESSIONS_URL' : 'DATABASE_URL']: 'postgres://db/assay' }
    expect(read({ ...settingsOf(container), CLICKHOUSE_PASSWORD: 'x', ...database })).toBeDefined()
    expect(secretsOf(container)).toEqual([isApp ? 'assay-app' : 'assay'])
  }
})

test('the app shares no setting of the platform but the public address, and no folder', () => {
  const [platform, app] = podOf('assay-server').containers
  if (!platform || !app) throw new Error('No containers')
  expect(Object.keys(settingsOf(app)).toSorted()).toEqual(['PLATFORM_URL', 'PUBLIC_URL', 'TRUSTED_PROXIES'])
  expect(settingsOf(app)['PUBLIC_URL']).toBe(settings['PUBLIC_URL'])
  const shared = app.volumeMounts.filter(({ name }) => platform.volumeMounts.some((mount) => mount.name === name))
  expect(shared).toEqual([])
})

test('single sign-on, once its lines are no comments, has a folder that several pods can write', () => {
  const lines = readFileSync(new URL('settings.yaml', folder), 'utf8').replaceAll(/^ {2}# (OIDC_)/gm, '  $1')
  const [, app] = loadAll(lines) as Manifest[]
  const secrets = { SESSIONS_URL: 'postgres://db/assay', OIDC_CLIENT_SECRET: 'x', OIDC_SEALING_KEY: 'a'.repeat(64) }
  const { oidc } = readBffConfig({ ...app?.data, ...secrets })
  const server = readFileSync(new URL('server.yaml', folder), 'utf8')
  const [, mountPath] = /# - name: people\n +# +mountPath: (.*)/.exec(server) ?? []
  expect(dirname(oidc?.people.folder ?? '')).toBe(mountPath)
  const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')
  expect(claim?.spec?.accessModes).toEqual(['ReadWriteMany'])
  expect(server).toContain(`claimName: ${claim?.metadata.name}`)
})

/** The ports of a deployment's pods that others may connect to, and from which namespaces. */
function openPorts(deployment: string) {
  const { labels } = templateOf(deployment).metadata
  const policies = manifests.filter(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' &&
      Object.entries(spec?.podSelector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value),
  )
  expect(policies.every(({ spec }) => spec?.policyTypes?.includes('Ingress'))).toBe(true)
  return policies.flatMap(({ spec }) =>
    (spec?.ingress ?? []).flatMap(({ from, ports }) =>
      ports.map(({ port }) => [port, from?.map((each) => each.namespaceSelector.matchLabels[namespaceLabel])]),
    ),
  )
}
const namespaceLabel = 'kubernetes.io/metadata.name'

test('others reach only the app and the metrics', () => {
  const trigger = manifests.find(({ kind }) => kind === 'ScaledObject')?.spec?.triggers?.[0]?.metadata
  const [, prometheus] = new URL(trigger?.['serverAddress'] ?? '').hostname.split('.')
  const metrics = [Number(settings['METRICS_PORT']), [prometheus]]
  expect(openPorts('assay-server')).toEqual([[4400, ['ingress-nginx']], metrics])
  expect(openPorts('assay-worker')).toEqual([metrics])
})

test('no manifest has a secret', () => {
  expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
  const names = manifests.flatMap(({ data = {} }) => Object.keys(data))
  expect(names.filter((name) => /PASSWORD|SECRET|KEY|DATABASE_URL/.test(name))).toEqual([])
})

test('the server takes requests when it is ready, by a host name that it serves', () => {
  const [platform, app] = podOf('assay-server').containers
  const host = { name: 'Host', value: 'localhost' }
  // While the bucket does not answer, /readyz fails in every pod at once.
  expect(platform?.readinessProbe?.httpGet).toMatchObject({ path: '/healthz', port: 'api', httpHeaders: [host] })
  expect(app?.readinessProbe?.httpGet).toMatchObject({ path: '/healthz', port: 'http', httpHeaders: [host] })
  expect(platform?.ports).toContainEqual({ name: 'metrics', containerPort: Number(settings['METRICS_PORT']) })
})

test('a worker has more time to end than its runs have', () => {
  const { containers, terminationGracePeriodSeconds } = podOf('assay-worker')
  const drainSeconds = Number(containers[0]?.args.at(-1))
  expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds)
})

test('a worker has disk space for its runs and images', () => {
  const { containers, volumes } = podOf('assay-worker')
  const [worker] = containers
  if (!worker) throw new Error('No worker')
  const { workerSlots, limits, images } = readPlatformConfig({ ...settingsOf(worker), CLICKHOUSE_PASSWORD: 'x' })
  const needed = workerSlots * limits.diskMb + images.limitMb
  const megabytes = (size = '') => Number(/^(\d+)Gi$/.exec(size)?.[1]) * 1024
  const limit = megabytes(volumes.find(({ name }) => name === 'data')?.emptyDir?.sizeLimit)
  expect(limit).toBeGreaterThanOrEqual(needed)
  expect(megabytes(worker.resources.requests['ephemeral-storage'])).toBeGreaterThanOrEqual(limit)
})

test('workers are scaled by a metric that servers have, by the slots of a worker', () => {
  const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')
  const trigger = scaled?.spec?.triggers?.[0]?.metadata
  const [metric] = /assay_\w+/.exec(trigger?.['query'] ?? '') ?? []
  expect(registry.getSingleMetric(metric ?? '')).toBeDefined()
  const [worker] = podOf('assay-worker').containers
  expect(worker && settingsOf(worker)).toMatchObject({ WORKER_SLOTS: trigger?.['threshold'] })
  // Without a value, KEDA would end all workers.
  expect(trigger).toMatchObject({ ignoreNullValues: 'false' })
})
