import type { Database, Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';

interface RoleRow {
  name: string;
  superuser: boolean;
  bypass: boolean;
  login: boolean;
  creates: boolean;
  memberships: number;
  owned: number;
}

interface TableRow {
  name: string;
  enabled: boolean;
  forced: boolean;
  policies: number;
  part: boolean;
}

/**
 * Throws if row level security is not effective, because a role bypasses it or a table lacks it. Does not check the
 * login role of an embedded database, which is always a superuser.
 */
export async function checkRowSecurity(db: Database): Promise<void> {
  const problem = await db.migration((tx) => findProblem(tx, db.kind));
  if (problem) throw new StartError(problem);
}

async function findProblem(tx: Transaction, kind: Database['kind']): Promise<string | undefined> {
  const { rows: roles } = await tx.query<RoleRow>(`
    select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypass, r.rolcanlogin as login, r.rolcreaterole as creates,
      (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relowner = r.oid and n.nspname in ('tocsin', 'tocsin_private')
          and c.relkind in ('r', 'p') and not (c.relispartition and r.rolname = 'tocsin_service')) as owned
    from pg_roles r where r.rolname in ('tocsin_request', 'tocsin_service')`);
  for (const role of roles) {
    if (role.superuser || role.bypass || role.login || role.creates || role.memberships > 0 || role.owned > 0) {
      return `The database role ${role.name} could bypass row level security. Set NOSUPERUSER, NOBYPASSRLS, NOCREATEROLE and NOLOGIN, revoke its memberships in other roles, and give the tables that it owns to another role.`;
    }
  }
  if (kind === 'postgres') {
    const { rows } = await tx.query<{ name: string; strong: boolean; inherits: boolean }>(`
      select r.rolname as name, r.rolsuper or r.rolbypassrls as strong, pg_has_role(current_user, 'tocsin_service', 'usage') as inherits
      from pg_roles r where r.rolname = current_user`);
    const login = rows[0];
    if (login?.strong) return superuserProblem(login.name);
    if (login?.inherits) {
      return `The database role ${login.name} inherits the rights of tocsin_service. Run: alter role "${login.name}" noinherit`;
    }
  }
  const { rows: tables } = await tx.query<TableRow>(`
    select n.nspname || '.' || c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, c.relispartition as part,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p')`);
  for (const table of tables) {
    const open =
      // Partitions must have row level security but no policies, so that requests can access their rows only through
      // the parent table. The owner of the partitions, tocsin_service, can copy rows into them directly.
      !table.enabled || (!table.part && (!table.forced || table.policies === 0)) || (table.part && table.policies > 0);
    if (open && table.name !== 'tocsin_private.migration') {
      return `The table ${table.name} has no row level security. Run npm run migrate. If that does not help, add a migration that enables it.`;
    }
  }
  const { rows: leaks } = await tx.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tocsin_private' and c.relkind in ('r', 'p')
      and (has_table_privilege('tocsin_request', c.oid, 'select, insert, update, delete')
        or has_any_column_privilege('tocsin_request', c.oid, 'select, insert, update'))`);
  if (leaks[0])
    return `A request could access the private table ${leaks[0].name}. Revoke all rights on this table from tocsin_request.`;
  return undefined;
}

/**
 * Throws if the login role bypasses row level security. Also called before the migrations, which would otherwise create
 * everything with the wrong owner.
 */
export async function checkLoginRole(db: Database): Promise<void> {
  if (db.kind !== 'postgres') return;
  const { rows } = await db.migration((tx) =>
    tx.query<{ name: string; strong: boolean }>(
      'select rolname as name, rolsuper or rolbypassrls as strong from pg_roles where rolname = current_user',
    ),
  );
  if (rows[0]?.strong) throw new StartError(superuserProblem(rows[0].name));
}

function superuserProblem(name: string): string {
  return `DATABASE_URL signs in as "${name}", which bypasses row level security. Use a plain role instead: create role tocsin login createrole password '…'; create database tocsin owner tocsin`;
}
