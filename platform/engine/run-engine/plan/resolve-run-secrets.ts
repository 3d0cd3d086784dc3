import { slugOfReference } from '#contract/secret-references.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { createMasker, type Masker, maskNothing, type SecretValue } from '#platform/inputs/secrets/masking/masker.ts'
import { resolveSecrets } from '#platform/inputs/secrets/resolve-secrets.ts'
import type { Variables } from '#platform/ground/models/run-variables.ts'

/** All secrets of a run must fit in a process's environment, and masking uses memory in proportion to their size. */
const maxBytes = 256 * 1024

/**
 * `resolve` replaces references by values; `masker` removes values from output; `refusal` says why the secrets are
 * unusable, or is null.
 */
export type RunSecrets = { resolve: (variables: Variables) => Variables; masker: Masker; refusal: string | null }

export const noSecrets: RunSecrets = { resolve: (variables) => variables, masker: maskNothing, refusal: null }

/**
 * Resolves the secrets that these variables refer to, once, for the whole run or build. The values stay in this process
 * and in the environments of the processes it starts; they are never stored.
 */
export async function resolveRunSecrets(
  vault: Pick<Services, 'db' | 'keys'>,
  organizationId: string,
  variables: readonly Variables[],
  /** Values that reach the run in another way and must also be masked. */
  others: readonly SecretValue[] = [],
): Promise<RunSecrets> {
  const references = variables.flatMap(Object.entries<string>).flatMap(([name, value]) => {
    const slug = slugOfReference(value)
    return slug === null ? [] : [{ name, slug }]
  })
  if (references.length === 0) return others.length === 0 ? noSecrets : { ...noSecrets, masker: createMasker(others) }
  const slugs = [...new Set(references.map(({ slug }) => slug))]
  const { values, missing, unreadable } = await resolveSecrets(vault, organizationId, slugs)
  const reasons = references.flatMap(({ name, slug }) => {
    if (missing.includes(slug)) return `${name} needs the secret ${slug}, which does not exist`
    const why = 'which cannot be decrypted with the keys of this installation'
    return unreadable.includes(slug) ? `${name} needs the secret ${slug}, ${why}` : []
  })
  if (reasons.length > 0) return { ...noSecrets, refusal: [...new Set(reasons)].join('\n') }
  if (sizeOf(values) > maxBytes)
    return { ...noSecrets, refusal: `The secrets of a run can have at most ${maxBytes / 1024} KiB in total` }
  return { resolve: resolver(values), masker: createMasker([...values, ...others]), refusal: null }
}

const sizeOf = (values: readonly SecretValue[]) => values.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)

function resolver(values: readonly SecretValue[]) {
  const valueOf = new Map(values.map(({ slug, value }) => [slug, value]))
  return (variables: Variables): Variables =>
    Object.fromEntries(
      Object.entries(variables).map(([name, text]) => [name, valueOf.get(slugOfReference(text) ?? '') ?? text]),
    )
}
