/** A drawing as data, so that React can render it in the dashboard and plain DOM code on public pages. Attribute names are React's. */
export type Markup = {
  tag: string
  attributes: Readonly<Record<string, string | number | boolean>>
  children: readonly (Markup | string)[]
}

type Attributes = Record<string, string | number | boolean | undefined>

export function markup(tag: string, attributes: Attributes = {}, ...children: readonly (Markup | string)[]): Markup {
  const present = Object.entries(attributes).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  )
  return { tag, attributes: Object.fromEntries(present), children }
}
