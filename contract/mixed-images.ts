import { z } from 'zod'

/** An environment whose runs used more than one image. */
export const MixedImage = z.object({ environment: z.string(), digests: z.array(z.string()) })
export type MixedImage = z.infer<typeof MixedImage>

/** The digits of a digest that tell images apart. */
export const shortDigest = (digest: string) => digest.replace('sha256:', '').slice(0, 12)

/** The same sentence in the API and on the pages; null where no environment has two images. */
export const describeMixedImages = (mixed: readonly MixedImage[]): string | null =>
  mixed.length === 0
    ? null
    : mixed
        .map(
          ({ environment, digests }) =>
            `${environment === '' ? 'Runs without an environment' : `Runs in ${environment}`} used ${digests.length} different images: ${digests.map(shortDigest).join(', ')}`,
        )
        .join('. ')
