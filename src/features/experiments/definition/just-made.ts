import { z } from 'zod'

const JustMade = z.object({ made: z.string() })

/** What a push leaves in the history's entry for the page it leads to. */
export const justMade = (fingerprint: string): z.infer<typeof JustMade> => ({ made: fingerprint })

export const wasJustMade = (state: unknown, fingerprint: string) => JustMade.safeParse(state).data?.made === fingerprint
