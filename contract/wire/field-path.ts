const plainName = /^[\w$-]+$/

/** Formats the path of a value for people: `evidence[2].url`, `env["A B"]`. */
export const fieldPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((parent, step) => {
    if (typeof step === 'number') return `${parent}[${step}]`
    const name = String(step)
    if (!plainName.test(name)) return `${parent}[${JSON.stringify(name)}]`
    return parent === '' ? name : `${parent}.${name}`
  }, '')
