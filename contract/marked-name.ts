/** A name that another person of the organization already had is shown with the address of the one who took it later. */
export const markedName = (name: string, email: string) => `${plainName(name, email)} (${email})`

/** The name that the person chose. */
export function plainName(name: string, email: string) {
  const mark = ` (${email})`
  return name.endsWith(mark) ? name.slice(0, -mark.length) : name
}
