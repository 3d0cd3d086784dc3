import type { RunEnvironment } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import { parseImageReference } from '#contract/image-reference.ts'
import type { WantedImage } from '#platform/engine/images/open-images.ts'
import type { Variables } from '#platform/ground/models/run-variables.ts'
import type { RunSecrets } from './resolve-run-secrets.ts'

/** `digest` is already known if another step found the image. `staged` are the files of the version's package. */
type Found = { secrets: RunSecrets; digest: string | null; staged: readonly VersionFile[] }

/** The secrets for the environment's registries, in the form of variables, which is how secrets are resolved. */
export const imageAuthOf = (environment: RunEnvironment | undefined): Variables => ({
  ...(environment?.imageAuth !== undefined && { imageAuth: environment.imageAuth }),
  ...Object.fromEntries(
    Object.entries(environment?.build?.imageAuth ?? {}).map(([registry, secret]) => [variableOf(registry), secret]),
  ),
})

const variableOf = (registry: string) => `build.imageAuth of ${registry}`

/** The image of an environment, or null if it uses the machine's toolchain. */
export function wantedImage(
  environment: RunEnvironment | undefined,
  { secrets, digest, staged }: Found,
): WantedImage | null {
  const { id, image: text, build } = environment ?? {}
  const values = secrets.resolve(imageAuthOf(environment))
  if (build) {
    const registries = Object.keys(build.imageAuth ?? {})
    const passwords = new Map(registries.map((registry) => [registry, values[variableOf(registry)] ?? '']))
    return { name: `of environment ${id}`, digest, build: { ...build, staged, passwords } }
  }
  const reference = text === undefined ? null : parseImageReference(text)
  return reference && { name: text ?? '', digest, password: values['imageAuth'] ?? null, reference }
}
