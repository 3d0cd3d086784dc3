import { z } from 'zod'

const NewVersionState = z.object({ made: z.string() })

/** History state that a push passes to the next page. */
export const newVersionState = (fingerprint: string): z.infer<typeof NewVersionState> => ({ made: fingerprint })

export const isNewVersion = (state: unknown, fingerprint: string) =>
  NewVersionState.safeParse(state).data?.made === fingerprint
