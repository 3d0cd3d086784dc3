import { z } from 'zod'

const JustMade = z.object({ made: z.string() })

/** History state that a push passes to the next page. */
export const justMade = (fingerprint: string): z.infer<typeof JustMade> => ({ made: fingerprint })

export const wasJustMade = (state: unknown, fingerprint: string) => JustMade.safeParse(state).data?.made === fingerprint
