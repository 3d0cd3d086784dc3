import { z } from 'zod'

import { WrittenConfig } from '#platform/engine/images/image-config.ts'

/** The parts of the engine's answers that are read. Docker and Podman write null for what is absent. */

export const Version = z.object({
  Components: z.array(z.object({ Name: z.string() })).nullish(),
})

export const Info = z.object({
  OSType: z.string().nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
  MemoryLimit: z.boolean().nullish(),
  PidsLimit: z.boolean().nullish(),
})

export const Created = z.object({ Id: z.string() })

export const InspectedContainer = z.object({
  State: z.object({ Running: z.boolean(), Pid: z.int() }),
  GraphDriver: z.object({ Data: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  Mounts: z.array(z.object({ Type: z.string().nullish(), Source: z.string().nullish() })).nullish(),
})

const Labels = z.record(z.string(), z.string()).nullish()

export const Listed = z.array(z.object({ Id: z.string(), Names: z.array(z.string()).nullish(), Labels }))

export const ListedImages = z.array(z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish(), Labels }))

export const ExecState = z.object({
  Running: z.boolean(),
  ExitCode: z.int().nullish(),
  Pid: z.int().nullish(),
  /** Podman: whether the command has ended. */
  CanRemove: z.boolean().nullish(),
})

export const InspectedImage = z.object({
  Id: z.string(),
  RepoDigests: z.array(z.string()).nullish(),
  Architecture: z.string().default(''),
  Os: z.string().default('linux'),
  Size: z.number().default(0),
  Config: WrittenConfig.extend({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})
export type InspectedImage = z.infer<typeof InspectedImage>
