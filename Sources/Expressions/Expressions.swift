// Expressions
