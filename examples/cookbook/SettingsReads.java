/** One setting is read again for each row. */
public class SettingsReads {
  static String read(String file) {
    return file;
  }

  static void row() {
    read("columns.properties");
  }

  static void turn() {
    read("app.properties");
    for (int i = 0; i < 30; i++)
      row();
  }
}
