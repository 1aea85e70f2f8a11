#include "harness.h"

int main(void) {
    /* A column of times, as astropy writes it. */
    put_text("times.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t.jd1, datatype: float64}\n"
                           "# - {name: t.jd2, datatype: float64}\n# meta: !!omap\n# - __serialized_columns__:\n"
                           "#     t:\n#       __class__: astropy.time.core.Time\n#       format: isot\n"
                           "#       jd1: !astropy.table.SerializedColumn {name: t.jd1}\n"
                           "#       jd2: !astropy.table.SerializedColumn {name: t.jd2}\n"
                           "# schema: astropy-2.0\nt.jd1 t.jd2\n2460000.0 0.25\n");
    asdf_table *table = NULL;
    int64_t count = 0;
    OK(asdf_table_read_ecsv("times.ecsv", NULL, &table));
#include "logical.block.c"
    CHECK(strcmp(class, "astropy.time.core.Time") == 0);
    OK(asdf_table_column_count(values, &count));
    CHECK(count == 2);
    TEXT("t.jd1", asdf_table_column_name, values, 0);
    asdf_logical_columns_free(columns);
    asdf_table_free(values);
    asdf_table_free(table);
    return report();
}
