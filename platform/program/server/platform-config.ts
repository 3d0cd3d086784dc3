import { join, resolve } from 'node:path'

import { z } from 'zod'

import { parseImageReference } from '#contract/image-reference.ts'
import { sentencesOf } from '#contract/plain-messages.ts'
import { trustedProxies } from '#server-kit/trusted-proxies.ts'
import { type ClickhouseAddress, readClickhouseAddress } from '#platform/analysis/analytics/clickhouse/read-address.ts'
import { type BucketAddress, readBucketAddress } from '#platform/ground/blobs/read-address.ts'
import { readEngineAddress } from '#platform/engine/containers/engine/engine-address.ts'
import type { ContainerChoice } from '#platform/engine/containers/open-containers.ts'
import { type CreditSettings, readCreditSettings } from '#platform/inputs/credits/credit-settings.ts'
import {
  type EgressExceptions,
  type EgressSettings,
  parseEgressExceptions,
} from '#platform/ground/egress/egress-settings.ts'
import { parseKeys } from '#platform/ground/installation-keys/parse-keys.ts'
import { type MailSettings, readMailSettings } from '#platform/people/mail/read-mail-settings.ts'
import { parseMirrors } from '#platform/engine/images/mirrors.ts'
import type { ImageSettings } from '#platform/engine/images/open-images.ts'
import type { MetricsAddress } from '#platform/ground/metrics/serve-metrics.ts'
import { type ProviderAddresses, readProviderAddresses } from '#platform/engine/model-gateway/provider-addresses.ts'
import type { ProcessLimits } from '#platform/engine/sandbox/limits.ts'

/** Makes the message of a parser the message of its setting. */
const readWith =
  <Text, Value>(parse: (text: Text) => Value) =>
  (text: Text, check: z.RefinementCtx) => {
    try {
      return parse(text)
    } catch (error) {
      check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' })
      return z.NEVER
    }
  }

const Environment = z.object({
  PLATFORM_PORT: z.coerce.number().int().min(0).max(65_535).default(4401),
  PLATFORM_LISTEN_HOST: z.string().min(1).default('127.0.0.1'),
  PLATFORM_HOSTS: z.string().default('').transform(readHosts),
  TRUSTED_PROXIES: trustedProxies,
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  BLOBS_URL: z
    .string()
    .optional()
    .transform((text, check) => (text === undefined ? null : readWith(readBucketAddress)(text, check))),
  CLICKHOUSE_URL: z.string().optional(),
  CLICKHOUSE_USER: z.string().optional(),
  CLICKHOUSE_PASSWORD: z.string().optional(),
  CLICKHOUSE_CLUSTER: z.string().optional(),
  ASSAY_ENCRYPTION_KEYS: z.string().default('').transform(readWith(parseKeys)),
  SANDBOX: z.enum(['auto', 'none', 'docker']).default('auto'),
  DOCKER_HOST: z.string().optional().transform(readWith(readEngineAddress)),
  DOCKER_IMAGE: z
    .string()
    .refine((text) => parseImageReference(text) !== null, 'must be an image such as node:24')
    .optional(),
  DOCKER_CPUS: z.coerce.number().min(0).default(0),
  AGENT_CLIENTS_DIR: z.string().min(1).optional(),
  MODEL_PRICES_FILE: z.string().min(1).optional(),
  PROCESS_MEMORY_MB: z.coerce.number().int().min(0).default(4096),
  RUN_PROCESSES: z.coerce.number().int().min(0).default(1000),
  EGRESS_ALLOW: z.string().default('').transform(readWith(parseEgressExceptions)),
  WEBHOOK_ALLOW: z.string().default('').transform(readWith(parseEgressExceptions)),
  EGRESS_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  RUN_DISK_MB: z.coerce.number().int().min(0).default(10_240),
  IMAGE_CACHE: z.string().min(1).optional(),
  IMAGE_CACHE_MB: z.coerce.number().int().min(0).default(20_480),
  INSECURE_REGISTRIES: z.string().default('').transform(readHosts),
  IMAGE_MIRRORS: z.string().default('').transform(readWith(parseMirrors)),
  WORKER_SLOTS: z.coerce.number().int().min(0).max(64).default(2),
  SMTP_URL: z.string().optional(),
  SMTP_FROM: z.string().optional(),
  SMTP_TLS: z.string().optional(),
  /** The setting of the BFF, which checks that it is well-formed. */
  OIDC_SEALING_KEY: z
    .string()
    .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64'))
    .optional(),
  ASSAY_DEMO: z.enum(['on', 'examples', 'off']).optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(4400),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

export type PlatformConfig = {
  port: number
  /** The address that it listens on; loopback by default. */
  listenHost: string
  /** Host names the API serves besides loopback. */
  hosts: string[]
  /** Proxies besides those on this machine. */
  trustedProxies: string[]
  dataFolder: string
  databaseUrl: string | undefined
  /** The bucket of packages and transcripts. Null for a folder in `dataFolder`. */
  bucket: BucketAddress | null
  /** Null for embedded analytics. */
  clickhouse: ClickhouseAddress | null
  /** Newest first. Empty by default. */
  encryptionKeys: Buffer[]
  /** With `none`, runs start without a sandbox; with `docker`, in containers. Only the operator can decide that. */
  sandbox: 'auto' | 'none' | 'docker'
  containers: ContainerChoice
  /** An npm prefix with the clients of preset agents, visible in every sandbox. */
  agentClientsFolder: string | undefined
  modelPricesFile: string | undefined
  /** The limits of commands in a sandbox. */
  limits: ProcessLimits
  images: ImageSettings
  /** How runs reach other hosts. */
  egress: EgressSettings
  /** Destinations that webhooks may reach although they are not public. */
  webhookExceptions: EgressExceptions
  /** The number of runs this process works on at once; 0 leaves the queue to other workers. */
  workerSlots: number
  credits: CreditSettings
  /** Null without a mail server. */
  mail: MailSettings | null
  /** The operator's addresses of model providers. */
  providerAddresses: ProviderAddresses
  /** `examples` makes only the example experiments, which takes less work. */
  demo: 'on' | 'examples' | 'off'
  /** Where metrics are served; null for nowhere. */
  metrics: MetricsAddress | null
  publicUrl: string
  /** Shared with the BFF, which proves with it that single sign-on has verified an email address. */
  singleSignOnKey: Buffer | undefined
  logLevel: string
}

/** Reads the platform's settings from the environment. Throws an Error that names every invalid setting. */
export function readPlatformConfig(environment: NodeJS.ProcessEnv): PlatformConfig {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(nonEmpty)
  if (!parsed.success) throw new Error(`Invalid settings:\n${sentencesOf(parsed.error, '\n')}`)
  const { PLATFORM_PORT, DATA_DIR, DATABASE_URL, SANDBOX, WORKER_SLOTS, ASSAY_DEMO, PORT, PUBLIC_URL, LOG_LEVEL } =
    parsed.data
  const { AGENT_CLIENTS_DIR, MODEL_PRICES_FILE, PROCESS_MEMORY_MB, RUN_PROCESSES, RUN_DISK_MB, ASSAY_ENCRYPTION_KEYS } =
    parsed.data
  return {
    port: PLATFORM_PORT,
    listenHost: parsed.data.PLATFORM_LISTEN_HOST,
    hosts: parsed.data.PLATFORM_HOSTS,
    trustedProxies: parsed.data.TRUSTED_PROXIES,
    dataFolder: resolve(DATA_DIR),
    databaseUrl: DATABASE_URL,
    bucket: parsed.data.BLOBS_URL,
    clickhouse: readClickhouse(parsed.data),
    encryptionKeys: ASSAY_ENCRYPTION_KEYS,
    sandbox: SANDBOX,
    containers: {
      socketPath: parsed.data.DOCKER_HOST,
      defaultImage: parsed.data.DOCKER_IMAGE ?? null,
      cpus: parsed.data.DOCKER_CPUS,
    },
    agentClientsFolder: AGENT_CLIENTS_DIR && resolve(AGENT_CLIENTS_DIR),
    modelPricesFile: MODEL_PRICES_FILE && resolve(MODEL_PRICES_FILE),
    limits: { memoryMb: PROCESS_MEMORY_MB, processes: RUN_PROCESSES, diskMb: RUN_DISK_MB },
    images: {
      folder: resolve(parsed.data.IMAGE_CACHE ?? join(DATA_DIR, 'images')),
      limitMb: parsed.data.IMAGE_CACHE_MB,
      insecureRegistries: parsed.data.INSECURE_REGISTRIES,
      mirrors: parsed.data.IMAGE_MIRRORS,
    },
    egress: {
      exceptions: parsed.data.EGRESS_ALLOW,
      upstream: parsed.data.EGRESS_PROXY === undefined ? null : new URL(parsed.data.EGRESS_PROXY),
    },
    webhookExceptions: parsed.data.WEBHOOK_ALLOW,
    workerSlots: WORKER_SLOTS,
    credits: readCreditSettings(nonEmpty),
    mail: readMail(parsed.data),
    providerAddresses: readProviderAddresses(nonEmpty),
    demo: ASSAY_DEMO ?? (DATABASE_URL === undefined ? 'on' : 'off'),
    metrics:
      parsed.data.METRICS_PORT === undefined
        ? null
        : { host: parsed.data.METRICS_HOST, port: parsed.data.METRICS_PORT },
    publicUrl: (PUBLIC_URL ?? `http://127.0.0.1:${PORT}`).replace(/\/+$/, ''),
    singleSignOnKey: parsed.data.OIDC_SEALING_KEY,
    logLevel: LOG_LEVEL,
  }
}

function readMail(settings: z.infer<typeof Environment>) {
  try {
    return readMailSettings(settings)
  } catch (error) {
    throw invalidSettings(error)
  }
}

const invalidSettings = (error: unknown) =>
  new Error(`Invalid settings:\n${error instanceof Error ? error.message : ''}`, { cause: error })

function readHosts(text: string) {
  return text.split(/[,\s]+/).filter((host) => host !== '')
}

function readClickhouse({
  CLICKHOUSE_URL,
  CLICKHOUSE_USER,
  CLICKHOUSE_PASSWORD,
  CLICKHOUSE_CLUSTER,
}: z.infer<typeof Environment>) {
  const settings = { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_CLUSTER }
  try {
    return readClickhouseAddress(settings)
  } catch (error) {
    throw invalidSettings(error)
  }
}
