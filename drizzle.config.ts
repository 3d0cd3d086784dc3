import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './platform/database/tables/*.ts',
  out: './platform/database/migrations',
  casing: 'snake_case',
})
