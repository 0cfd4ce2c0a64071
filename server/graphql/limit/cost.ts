import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'postgraphile/graphql';
import { checkLiteral, isCount, literal } from '../values.ts';
import { limits, TooMuch } from './limits.ts';
import { connectionSizes, listSizes } from './list-sizes.ts';

/**
 * Cost factor for a field inside a list that the query selects a second time under an alias. The database sends the
 * rows only once, so the limit on fetched values does not cover the repetition.
 */
const REPEATED = 10;

/** Number of scalar list items that cost as much as one field. */
const PLAIN_ITEMS = 10;

export interface CostWalkOptions {
  document: DocumentNode;
  /** Variables of the request, with defaults for the missing ones. */
  variables: Readonly<Record<string, unknown>>;
  /**
   * Result of the walk: the page size to insert for each nested list that has none, keyed by offset in the query text.
   */
  pages: Map<number, string>;
  allowIntrospection: boolean;
}

interface Place {
  depth: number;
  /** Maximum number of objects to which the selection applies. */
  times: number;
  /** Maximum number of rows in the enclosing connection. */
  rows: number;
  /** Names of the enclosing fragments. */
  open: ReadonlySet<string>;
  /** Fields of the same object that were already visited, including those in its fragments. */
  fields: Set<string>;
}

/**
 * Computes the maximum number of objects and values in the response to an operation. Unknown fields cost nothing,
 * because validation refuses the query later.
 */
export class CostWalk {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #options: CostWalkOptions;
  #schema: GraphQLSchema | undefined;
  #aliases = 0;
  fields = 0;
  cost = 0;

  constructor(options: CostWalkOptions) {
    this.#options = options;
    for (const definition of options.document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
  }

  visit(selectionSet: SelectionSetNode, type: GraphQLNamedType | undefined, schema: GraphQLSchema): void {
    this.#schema = schema;
    this.#visit(selectionSet, type, { depth: 1, times: 1, rows: 1, open: new Set(), fields: new Set() });
  }

  #visit(selectionSet: SelectionSetNode, type: GraphQLNamedType | undefined, place: Place): void {
    if (place.depth > limits.depth) {
      throw new TooMuch('TOO_DEEP', `A request may be at most ${limits.depth} levels deep. Request fewer levels.`);
    }
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        this.#field(selection, type, place);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.#count();
        this.#visit(selection.selectionSet, this.#named(selection.typeCondition?.name.value) ?? type, place);
      } else {
        const name = selection.name.value;
        const fragment = this.#fragments.get(name);
        // Fragments count too, because nested fragments without fields can still grow exponentially.
        this.#count();
        // Skips recursive fragments, so that the walk ends. Validation refuses them later.
        if (!fragment || place.open.has(name)) continue;
        const inside = this.#named(fragment.typeCondition.name.value) ?? type;
        this.#visit(fragment.selectionSet, inside, { ...place, open: new Set([...place.open, name]) });
      }
    }
  }

  #field(field: FieldNode, parent: GraphQLNamedType | undefined, place: Place): void {
    const name = field.name.value;
    this.#count();
    if (field.alias && field.alias.value !== name) this.#aliases += 1;
    if (this.#aliases > limits.aliases)
      throw new TooMuch(
        'TOO_MANY_ALIASES',
        `A request may use at most ${limits.aliases} aliases. Send several requests.`,
      );
    if (name.startsWith('__') && name !== '__typename') {
      this.#checkIntrospection(field);
      return;
    }
    for (const argument of field.arguments ?? []) checkLiteral(argument.value, argument.name.value, 1);
    this.#checkPage(field);
    const definition = isObjectType(parent) ? parent.getFields()[name] : undefined;
    const items = definition ? this.#items(field, `${parent?.name}.${name}`, definition, place) : 1;
    this.#add(place.times * (field.selectionSet ? items : Math.ceil(items / PLAIN_ITEMS)));
    if (!field.selectionSet) return;
    const connection = definition && isConnection(definition);
    const repeated = place.times > 1 && place.fields.has(name);
    place.fields.add(name);
    this.#visit(field.selectionSet, definition && getNamedType(definition.type), {
      ...place,
      depth: place.depth + 1,
      times: place.times * items * (repeated ? REPEATED : 1),
      fields: new Set(),
      rows: connection ? this.#rows(field, `${parent?.name}.${name}`, place.times) : place.rows,
    });
  }

  #add(cost: number): void {
    this.cost += cost;
    if (this.cost <= limits.cost) return;
    throw new TooMuch(
      'TOO_COSTLY',
      `The response to this request could contain more than ${limits.cost} values. Request smaller pages with "first", or fewer fields or levels.`,
    );
  }

  /** Returns the maximum number of items in a field: the rows of a page, the size of another list, or 1. */
  #items(field: FieldNode, path: string, definition: GraphQLField<unknown, unknown>, place: Place): number {
    if (!isList(definition.type)) return 1;
    if (/Connection\.(nodes|edges)$/.test(path)) return place.rows;
    const size = listSizes[path] ?? limits.page;
    return typeof size === 'number' ? size : size((name) => this.#argument(field, name)?.value);
  }

  /** Returns the maximum number of rows in a connection. Adds a page size to a nested list that has none. */
  #rows(field: FieldNode, path: string, times: number): number {
    const most = connectionSizes[path] ?? limits.page;
    const first = this.#argument(field, 'first');
    if (first) return Math.min(most, isCount(first.value) ? first.value : limits.page);
    if (times <= 1) return most;
    const page = `first: ${limits.nestedPage}`;
    const argument = field.arguments?.[0]?.loc?.start;
    if (argument !== undefined) this.#options.pages.set(argument, `${page}, `);
    else if (field.name.loc) this.#options.pages.set(field.name.loc.end, `(${page})`);
    return Math.min(most, limits.nestedPage);
  }

  #checkPage(field: FieldNode): void {
    const offset = this.#argument(field, 'offset');
    if (offset?.value != null && !isCount(offset.value)) {
      throw new TooMuch('NOT_A_PAGE', '"offset" must be a whole number, 0 or more.');
    }
    const first = this.#argument(field, 'first');
    // If the variable has no value, the default page size applies.
    if (!first || first.value === undefined) return;
    if (isCount(first.value) && first.value <= limits.page) return;
    throw new TooMuch(
      isCount(first.value) ? 'PAGE_TOO_LARGE' : 'NOT_A_PAGE',
      `"first" must be a whole number from 0 to ${limits.page}. Request the rest with "after" or "offset".`,
    );
  }

  /** Returns the value of an argument; undefined if the query does not specify the argument. */
  #argument(field: FieldNode, name: string): { value: unknown } | undefined {
    const argument = field.arguments?.find((one) => one.name.value === name)?.value;
    if (!argument) return undefined;
    return {
      value: argument.kind === Kind.VARIABLE ? this.#options.variables[argument.name.value] : literal(argument),
    };
  }

  #named(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.#schema?.getType(name);
  }

  #checkIntrospection(field: FieldNode): void {
    if (this.#options.allowIntrospection || this.#asksForNoType(field)) return;
    throw new TooMuch('INTROSPECTION', 'Introspection is off. Read the schema in the file web/api/schema.graphql.');
  }

  /**
   * Returns true for a `__type` query whose type name starts with a lower-case letter. No type has such a name, so the
   * result is always null. The conformance audit of GraphQL over HTTP sends such a query.
   */
  #asksForNoType(field: FieldNode): boolean {
    if (field.name.value !== '__type') return false;
    const name = field.arguments?.find((argument) => argument.name.value === 'name')?.value;
    const text =
      name?.kind === Kind.VARIABLE
        ? this.#options.variables[name.name.value]
        : name?.kind === Kind.STRING && name.value;
    return typeof text === 'string' && !/^[A-Z_]\w*$/.test(text);
  }

  #count(): void {
    this.fields += 1;
    if (this.fields > limits.fields)
      throw new TooMuch(
        'TOO_MANY_FIELDS',
        `A request may name at most ${limits.fields} fields. Send several requests.`,
      );
  }
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}

function isConnection({ type }: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(type).name.endsWith('Connection') && !isList(type);
}
