import { slugOfReference } from '#contract/secret-references.ts'
import type { Services } from '#platform/context/context.ts'
import { createMasker, type Masker, maskNothing, type SecretValue } from '#platform/secrets/masking/masker.ts'
import { resolveSecrets } from '#platform/secrets/resolve-secrets.ts'
import type { Variables } from '#platform/models/run-variables.ts'

/** Together they must fit a process's environment, and masking takes memory in proportion to them. */
const maxBytes = 256 * 1024

/** `resolve` puts values in the place of references; `masker` takes them out of what is said. `refusal`: why not, or null. */
export type GivenSecrets = { resolve: (variables: Variables) => Variables; masker: Masker; refusal: string | null }

export const noSecrets: GivenSecrets = { resolve: (variables) => variables, masker: maskNothing, refusal: null }

/**
 * The secrets that some variables refer to, as they are now: for one run or build, to its end. The values stay in this
 * process and in the environments it starts; nothing here writes them down.
 */
export async function resolveRunSecrets(
  vault: Pick<Services, 'db' | 'keys'>,
  organizationId: string,
  variables: readonly Variables[],
  /** Values that are given in another way, and must not be said either. */
  others: readonly SecretValue[] = [],
): Promise<GivenSecrets> {
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
    return { ...noSecrets, refusal: `The secrets of one run may take ${maxBytes / 1024} KiB together` }
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
