/** A picture as data, so that React draws it in the dashboard and the DOM alone where strangers see it. Names as in React. */
export type Markup = {
  tag: string
  attributes: Readonly<Record<string, string | number | boolean>>
  children: readonly (Markup | string)[]
}

type Attributes = Record<string, string | number | boolean | undefined>

export function markup(tag: string, attributes: Attributes = {}, ...children: readonly (Markup | string)[]): Markup {
  const given = Object.entries(attributes).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  )
  return { tag, attributes: Object.fromEntries(given), children }
}
