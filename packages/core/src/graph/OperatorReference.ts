/** A paper or a book. */
export interface Literature {
  readonly authors: string;
  /** Journal and volume, or title and publisher. */
  readonly source: string;
  /** First page, or the number of the article; absent for books. */
  readonly page?: string;
  readonly year: number;
  readonly doi?: string;
}

/** What is to be known of an operator beside its slots: shown by its page, and by `corpuscle operators NAME`. */
export interface OperatorReference {
  /** Paragraphs of Markdown; formulas are LaTeX in fences of the language `math`. */
  readonly theory?: string;
  /** Where theory and method come from. */
  readonly literature?: readonly Literature[];
  /** The blocks of a file that matter for the operator; those that it leaves out are those of a common file. */
  readonly example: string;
  /** Files that the example reads: texts by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The operator whose example writes a file that this one reads, and runs before it in the same folder. */
  readonly after?: string;
}
