import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './platform/ground/database/tables/*.ts',
  out: './platform/ground/database/migrations',
  casing: 'snake_case',
})
