import type { Database } from '#platform/ground/database/open-database.ts'

/** A database that tests can switch off and on. While it is off, every statement fails like a refused connection. */
export function breakableDatabase(db: Database) {
  let isDown = false
  const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const breakable = new Proxy(db, {
    get(target, name) {
      if (isDown) throw refused()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    db: breakable,
    goDown: () => void (isDown = true),
    comeBack: () => void (isDown = false),
    /** For `isStopping` of a sender, which asks before each work: the database is off after the first. */
    downAfterOne() {
      let asked = 0
      return () => {
        asked += 1
        if (asked > 1) isDown = true
        return false
      }
    },
  }
}

/** Services of a server that is killed in each transaction, after its last statement. */
export const killedAtCommit = <With extends { db: Database }>(services: With): With => ({
  ...services,
  db: new Proxy(services.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name)
      return (act: (tx: unknown) => Promise<unknown>) =>
        target.transaction(async (tx) => {
          await act(tx)
          throw new Error('The server was killed')
        })
    },
  }),
})
