import { globSync } from 'node:fs'

/**
 * Names the classes of the CSS modules below `folder` by the places of their file and of the class in it: `_ab12`. A hash
 * and the class's own name would make styles a seventh larger. The names are the same in every build of the same files.
 */
export function shortClassNames(folder) {
  const files = globSync('**/*.module.css', { cwd: folder }).toSorted()
  const classesOf = new Map()
  return (name, path) => {
    const place = files.findIndex((file) => path === `${folder}/${file}`)
    if (place < 0) throw new Error(`${path} is not below ${folder}`)
    const classes = classesOf.get(path) ?? new Map()
    classesOf.set(path, classes)
    if (!classes.has(name)) classes.set(name, classes.size)
    return `_${inLetters(place)}${classes.get(name)}`
  }
}

/** 0 is `a`, 25 is `z`, 26 is `aa`. */
const inLetters = (place) =>
  (place < 26 ? '' : inLetters(Math.floor(place / 26) - 1)) + String.fromCodePoint(97 + (place % 26))
