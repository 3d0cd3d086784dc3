import { type ImageReference, parseImageReference } from '#contract/image-reference.ts'

/** The operator's mirrors: where the images of a registry are pulled from. */
export type Mirrors = ReadonlyMap<string, { registry: string; folder: string }>

/** Reads IMAGE_MIRRORS: pairs such as `docker.io=mirror.lab:5000/hub`. Throws an Error that names an invalid pair. */
export function parseMirrors(text: string): Mirrors {
  const pairs = text.split(/[,\s]+/).filter((pair) => pair !== '')
  return new Map(
    pairs.map((pair) => {
      const [from = '', to = '', ...rest] = pair.split('=')
      const source = parseImageReference(`${from}/image`)
      const target = parseImageReference(`${to}/image`)
      if (rest.length > 0 || source?.registry !== from || !target || !to.startsWith(target.registry))
        throw new Error(`${pair} must be a registry and its mirror, such as docker.io=mirror.lab:5000/hub`)
      return [from, { registry: target.registry, folder: target.repository.replace(/image$/, '') }]
    }),
  )
}

/** Returns the reference in the mirror of its registry, or null without one. */
export function inMirror(mirrors: Mirrors, reference: ImageReference): ImageReference | null {
  const mirror = mirrors.get(reference.registry)
  return mirror ? { ...reference, registry: mirror.registry, repository: mirror.folder + reference.repository } : null
}
