import classes from './FieldTable.module.css'

type Field = { name: string; type: string; says: string; id?: string }

/** Names with their types and meanings. A field with an id can be linked to. */
export const FieldTable = ({ label, fields }: { label: string; fields: readonly Field[] }) => (
  <table aria-label={label} className={classes.fields}>
    <tbody>
      {fields.map(({ name, type, says, id }) => (
        <tr key={name} id={id}>
          <th scope="row">
            <code>{name}</code>
            {type && <span className={classes.type}>{type}</span>}
          </th>
          <td>{says}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
